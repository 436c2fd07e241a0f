import { describe, expect, it } from 'vitest'
import { amountOf, amountToText } from '../../src/domain/numbers/amount.ts'
import { ticks } from '../../src/domain/numbers/grid.ts'
import { InvariantError } from '../../src/domain/sluice-error.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { SPOT_BTC } from '../domain/instruments.ts'
import { fillOf, requestOf } from './order-parts.ts'

const BTC_EUR = { ...SPOT_BTC, symbol: 'BTC/EUR', quote: 'EUR', pricePrecision: 1 }
const ETH_USDT = { ...SPOT_BTC, symbol: 'ETH/USDT', base: 'ETH' }
const BUY = requestOf({ clientOrderId: 'a' })
const HALF = fillOf(BUY, { id: '1', price: '100', quantity: '0.5', fee: '0.0005', feeAsset: 'BTC' })

/** A ledger with 1000 USDT and a buy of one BTC on its way. */
function withBuy(): Ledger {
  const ledger = new Ledger([SPOT_BTC, BTC_EUR, ETH_USDT], [['USDT', amountOf('1000')]])
  ledger.orders.add(BUY)
  ledger.orders.update('a', 'submitted')
  return ledger
}

describe('a ledger', () => {
  it('books a fill on order, position and balances', () => {
    const ledger = withBuy()
    expect(ledger.book(HALF)).toMatchObject({ order: { status: 'partiallyFilled' }, roundTrips: [] })
    expect(ledger.position('BTC/USDT')).toMatchObject({ direction: 'long', quantity: 499 })
    expect(amountToText(ledger.balances.of('USDT'))).toBe('950')
    expect(amountToText(ledger.balances.of('BTC'))).toBe('0.4995')
  })

  it('takes a fee in a third asset from the balance of that asset, and from nothing else', () => {
    const ledger = withBuy()
    ledger.setBalance('BNB', amountOf('2'))
    ledger.book(fillOf(BUY, { id: '1', price: '100', quantity: '0.5', fee: '0.75', feeAsset: 'BNB' }))
    const held = ['USDT', 'BTC', 'BNB'].map(asset => amountToText(ledger.balances.of(asset)))
    expect(held).toEqual(['950', '0.5', '1.25'])
    expect(ledger.position('BTC/USDT')).toMatchObject({ quantity: 500, lots: [{ fee: 0n }] })
  })

  it('takes a fee in the base of another pair from equity', () => {
    const ledger = withBuy()
    ledger.setBalance('ETH', amountOf('10'))
    ledger.mark(SPOT_BTC, ticks(10_000))
    ledger.mark(ETH_USDT, ticks(1000))
    ledger.book(fillOf(BUY, { id: '1', price: '100', quantity: '0.5', fee: '2', feeAsset: 'ETH' }))
    // 1000 USDT and 10 ETH at 10, less 2 ETH.
    expect(amountToText(ledger.equity('USDT'))).toBe('1080')
  })

  it.each(['ETH', 'BTC', 'USDT'])('takes a fee in %s from the estimate of equity', feeAsset => {
    const ledger = withBuy()
    ledger.setBalance('ETH', amountOf('10'))
    ledger.observeClose('BTC/USDT', 100)
    ledger.observeClose('ETH/USDT', 10)
    expect(ledger.equityAtCloses('USDT')).toBe(1100)
    ledger.book(fillOf(BUY, { id: '1', price: '100', quantity: '0.5', fee: '0.25', feeAsset }))
    expect(ledger.equityAtCloses('USDT')).toBe({ ETH: 1097.5, BTC: 1075, USDT: 1099.75 }[feeAsset])
  })

  it('counts what changes its money, and no prices', () => {
    const ledger = withBuy()
    const changes = [
      () => ledger.book(HALF),
      () => ledger.book(HALF),
      () => ledger.setBalance('BNB', amountOf('1')),
      () => ledger.mark(SPOT_BTC, ticks(9000)),
      () => ledger.observeClose('BTC/USDT', 91),
    ].map(change => {
      const before = ledger.changes
      change()
      return ledger.changes - before
    })
    expect(changes).toEqual([1, 0, 1, 0, 0])
  })

  it('books a fill that is seen twice once', () => {
    const ledger = withBuy()
    ledger.book(HALF)
    expect(ledger.book(HALF)).toBeUndefined()
    expect(ledger.position('BTC/USDT')?.quantity).toBe(499)
    expect(amountToText(ledger.balances.of('USDT'))).toBe('950')
  })

  it('books nothing of a fill it refuses', () => {
    const ledger = withBuy()
    expect(() => ledger.book(fillOf(BUY, { price: '100', quantity: '1.001' }))).toThrow(InvariantError)
    expect(ledger.position('BTC/USDT')).toBeUndefined()
    expect(amountToText(ledger.balances.of('USDT'))).toBe('1000')
  })

  it('gives the round trip of an exit', () => {
    const ledger = withBuy()
    ledger.book(HALF)
    const exit = requestOf({ clientOrderId: 'b', side: 'sell', purpose: 'exit', reduceOnly: true })
    ledger.orders.add(exit)
    ledger.orders.update('b', 'submitted')
    const booking = ledger.book(fillOf(exit, { price: '110', quantity: '0.499', fee: '0.05489' }))
    // 0.499 × 10 = 4.99, less 0.0005 × 100 and 0.05489.
    expect(booking?.roundTrips.map(({ pnl }) => amountToText(pnl))).toEqual(['4.88511'])
    expect(ledger.position('BTC/USDT')).toBeUndefined()
  })

  it('keeps what is held in different books of a symbol apart, on one balance', () => {
    const ledger = new Ledger([SPOT_BTC], [['USDT', amountOf('1000')]])
    for (const [clientOrderId, book, side] of [
      ['a', undefined, 'buy'],
      ['b', 'BTC/USDT#other', 'buy'],
      ['c', 'BTC/USDT#other', 'sell'],
    ] as const) {
      const request = requestOf({ clientOrderId, book, side })
      ledger.orders.add(request)
      ledger.orders.update(clientOrderId, 'submitted')
      const booking = ledger.book(fillOf(request, { price: '100', quantity: side === 'buy' ? '0.5' : '0.2' }))
      expect(booking?.roundTrips.length).toBe(side === 'buy' ? 0 : 1)
    }
    expect(ledger.position('BTC/USDT')).toMatchObject({ direction: 'long', quantity: 500 })
    expect(ledger.position('BTC/USDT#other')).toMatchObject({ direction: 'long', quantity: 300 })
    expect(ledger.position('BTC/USDT#third')).toBeUndefined()
    expect(amountToText(ledger.balances.of('BTC'))).toBe('0.8')
    expect(amountToText(ledger.balances.of('USDT'))).toBe('920')
  })

  it('knows the instruments it trades and no others', () => {
    expect(withBuy().instrument('BTC/EUR')).toBe(BTC_EUR)
    expect(() => withBuy().instrument('BTC/USD')).toThrow(InvariantError)
    expect(() => withBuy().instrument('BTC/USD')).toThrow('No instrument has the symbol BTC/USD.')
  })

  it('takes over what the exchange reports', () => {
    const ledger = withBuy()
    ledger.setBalance('BNB', amountOf('3'))
    ledger.setBalance('USDT', amountOf('7'))
    expect([...ledger.balances.entries()].map(([asset, amount]) => [asset, amountToText(amount)])).toEqual([
      ['USDT', '7'],
      ['BNB', '3'],
    ])
  })
})

describe('a ledger after a restart', () => {
  const held = () => {
    const ledger = withBuy()
    ledger.book(HALF)
    ledger.setBalance('ETH', amountOf('2'))
    ledger.observeClose('ETH/USDT', 10)
    ledger.observeClose('BTC/USDT', 100)
    ledger.markContract(BTC_EUR, ticks(900))
    return ledger.snapshot()
  }
  const opened = (...instruments: (typeof SPOT_BTC)[]) =>
    new Ledger(instruments, [['USDT', amountOf('1000')]])

  it('has positions, balances and prices again', () => {
    const again = opened(SPOT_BTC, BTC_EUR, ETH_USDT)
    again.restore(held())
    expect(again.snapshot()).toEqual(held())
    expect(again.position('BTC/USDT')?.quantity).toBe(499)
    expect(amountToText(again.ownedBase('BTC/USDT'))).toBe('0.4995')
    expect([again.netQuantity('BTC/USDT'), again.grossQuantity('BTC/USDT', 'long')]).toEqual([499, 499])
    expect([again.netQuantity('ETH/USDT'), again.grossQuantity('BTC/USDT', 'short')]).toEqual([0, 0])
    expect([again.markOf('BTC/EUR'), again.markPriceOf('BTC/EUR')]).toEqual([undefined, 900])
    expect(amountToText(again.equity('USDT'))).toBe('1019.95')
  })

  it('remembers each price once, in order of the first ones, and no instrument without any', () => {
    const ledger = opened(SPOT_BTC, BTC_EUR, ETH_USDT, { ...SPOT_BTC, symbol: 'LTC/USDT', base: 'LTC' })
    ledger.markContract(ETH_USDT, ticks(7))
    ledger.markContract(BTC_EUR, ticks(8))
    ledger.mark(ETH_USDT, ticks(9))
    ledger.observeClose('BTC/USDT', 0.1)
    expect(ledger.snapshot().markets).toEqual([
      { symbol: 'ETH/USDT', close: Number.NaN, mark: 9, contractMark: 7 },
      { symbol: 'BTC/USDT', close: 0.1, mark: 10, contractMark: undefined },
      { symbol: 'BTC/EUR', close: Number.NaN, mark: undefined, contractMark: 8 },
    ])
  })

  it('forgets the price and the empty book of an instrument that it has no more', () => {
    const again = opened(SPOT_BTC)
    again.restore(held())
    expect(amountToText(again.equity('USDT'))).toBe('999.95')
    expect(again.snapshot().books.map(({ symbol }) => symbol)).toEqual(['BTC/USDT'])
    expect(again.snapshot().markets.map(({ symbol }) => symbol)).toEqual(['BTC/USDT'])
  })

  it('still has what fees left in books that are flat', () => {
    const before = withBuy()
    const exit = { side: 'sell', purpose: 'exit', reduceOnly: true } as const
    const other = requestOf({ clientOrderId: 'b', book: 'BTC/USDT#other' })
    for (const request of [other, requestOf({ ...other, ...exit, clientOrderId: 'c' })]) {
      before.orders.add(request)
      before.orders.update(request.clientOrderId, 'submitted')
      // 0.4995 are left of the first, of which 0.499 can be sold.
      const quantity = request.side === 'buy' ? '0.5' : '0.499'
      const fee = request.side === 'buy' ? { fee: '0.0005', feeAsset: 'BTC' } : {}
      before.book(fillOf(request, { price: '100', quantity, ...fee }))
    }
    const again = opened(SPOT_BTC)
    again.restore(before.snapshot())
    for (const ledger of [before, again]) {
      expect(ledger.position('BTC/USDT#other')).toBeUndefined()
      expect(amountToText(ledger.ownedBase('BTC/USDT#other'))).toBe('0.0005')
      expect(amountToText(ledger.ownedBase('BTC/USDT#third'))).toBe('0')
    }
  })

  it('does not begin where it holds an instrument that it has no more', () => {
    expect(() => opened(ETH_USDT).restore(held())).toThrow('No instrument has the symbol BTC/USDT.')
  })
})

describe('equity', () => {
  it('is the quote balance plus every base at its latest price', () => {
    const ledger = withBuy()
    ledger.book(HALF)
    ledger.setBalance('ETH', amountOf('2'))
    ledger.mark(SPOT_BTC, ticks(10_000))
    ledger.mark(ETH_USDT, ticks(1_050))
    // 950 + 0.4995 × 100 + 2 × 10.5, then with BTC at 120.
    expect(amountToText(ledger.equity('USDT'))).toBe('1020.95')
    ledger.mark(SPOT_BTC, ticks(12_000))
    expect(amountToText(ledger.equity('USDT'))).toBe('1030.94')
  })

  it('leaves out what has no price yet', () => {
    const ledger = withBuy()
    ledger.book(HALF)
    expect(amountToText(ledger.equity('USDT'))).toBe('950')
  })

  it('is told in each quote by the prices of that quote', () => {
    const ledger = withBuy()
    ledger.book(HALF)
    ledger.mark(SPOT_BTC, ticks(10_000))
    ledger.mark(BTC_EUR, ticks(900))
    expect(amountToText(ledger.equity('USDT'))).toBe('999.95')
    // 0.4995 × 90.0 and no EUR.
    expect(amountToText(ledger.equity('EUR'))).toBe('44.955')
  })

  it('is noted for a stretch of prices, and for no other', () => {
    const ledger = withBuy()
    ledger.book(HALF)
    const equity = new Float64Array(4).fill(-1)
    ledger.noteEquity(SPOT_BTC, Float64Array.of(80, 100, 120, 140), 1, 3, equity)
    // 950 and 0.4995 at 100 and at 120.
    expect([...equity].map(value => value.toFixed(6))).toEqual([
      ...['-1.000000', '999.950000', '1009.940000', '-1.000000'],
    ])
  })

  it('goes by closes once these are seen, each on the grid of its instrument', () => {
    const ledger = withBuy()
    ledger.book(HALF)
    ledger.setBalance('ETH', amountOf('2'))
    ledger.mark(SPOT_BTC, ticks(10_000))
    ledger.observeClose('BTC/USDT', 110.004)
    ledger.observeClose('ETH/USDT', 10.006)
    expect([ledger.markOf('BTC/USDT'), ledger.markOf('ETH/USDT'), ledger.markOf('BTC/EUR')]).toEqual([
      ...[11_000, 1_001, undefined],
    ])
    expect(ledger.lastClose('BTC/USDT')).toBe(110.004)
    expect(ledger.lastClose('BTC/EUR')).toBeNaN()
    // 950 + 0.4995 × 110 + 2 × 10.01; the estimate takes the closes as they are.
    expect(amountToText(ledger.equity('USDT'))).toBe('1024.965')
    expect(ledger.equityAtCloses('USDT')).toBeCloseTo(950 + 0.4995 * 110.004 + 20.012, 9)
  })

  it('has an estimate that follows fills, reports and the price', () => {
    const ledger = withBuy()
    expect(ledger.equityAt(SPOT_BTC, 100)).toBe(1000)
    ledger.book(HALF)
    expect(ledger.equityAt(SPOT_BTC, 100)).toBeCloseTo(999.95, 10)
    expect(ledger.equityAt(SPOT_BTC, 120)).toBeCloseTo(1009.94, 10)
    ledger.setBalance('USDT', amountOf('0'))
    expect(ledger.equityAt(SPOT_BTC, 120)).toBeCloseTo(59.94, 10)
  })
})
