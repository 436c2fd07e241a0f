import { describe, expect, it } from 'vitest'
import { type Amount, amountOf, amountToText, rateOf, ZERO } from '../../src/domain/numbers/amount.ts'
import { priceText, steps, ticks } from '../../src/domain/numbers/grid.ts'
import { InvariantError } from '../../src/domain/sluice-error.ts'
import { FUTURES_BTC, futuresWith } from '../domain/instruments.ts'
import { ContractSession, type TestTrade } from './contract-session.ts'
import { requestOf } from './order-parts.ts'

const BOOK = 'BTC/USDT'
const CROSS = futuresWith({ marginMode: 'cross' })

/** What is held, in text. */
function heldIn(session: ContractSession, book = BOOK) {
  const position = session.ledger.contracts.of(book)
  if (position === undefined) return undefined
  const { direction, quantity, cost, margin } = position
  return [direction, quantity, amountToText(cost), amountToText(margin)]
}

function walletOf({ ledger }: ContractSession): string {
  return amountToText(ledger.balances.of('USDT'))
}

/** Rounded at 8 decimals, towards zero. */
function short(amount: Amount | undefined): string | undefined {
  return amount === undefined ? undefined : amountToText(((amount / 10n ** 10n) * 10n ** 10n) as Amount)
}

describe('an isolated position', () => {
  // 100 contracts of 0.01 BTC at 20,000 are worth 20,000; fee 0.05% of it, margin a tenth.
  it.each([
    ['long', 'buy', '18099.54751131', '18099.5'],
    ['short', 'sell', '21879.66185977', '21879.7'],
  ] as const)('takes its margin along, %s', (direction, side, price, tick) => {
    const session = new ContractSession(FUTURES_BTC)
    session.trade({ side, quantity: 100, price: 20_000 })
    expect(heldIn(session)).toEqual([direction, 100, '20000', '2000'])
    expect(walletOf(session)).toBe('9990')
    session.mark(20_000)
    expect(amountToText(session.ledger.free('USDT'))).toBe('7990')
    expect(amountToText(session.ledger.balances.of('BTC'))).toBe('0')
    // (20,000 ∓ 2,000) ÷ (1 ∓ 0.0055)
    expect(short(session.ledger.liquidations.priceOf(BOOK))).toBe(price)
    const towards = direction === 'long' ? 'down' : 'up'
    const due = session.ledger.liquidations.firstDue(FUTURES_BTC, ticks(200_000), towards)
    expect(due === undefined ? '' : priceText(FUTURES_BTC, due)).toBe(tick)
    const away = direction === 'long' ? 'up' : 'down'
    expect(session.ledger.liquidations.firstDue(FUTURES_BTC, ticks(200_000), away)).toBeUndefined()
  })

  it.each([
    [
      'keeps, at its own cost, what was opened after a takeover that is known later',
      'liquidation',
      2,
      ['9000', '900'],
    ],
    [
      'keeps, at its own cost, what was opened after a close by others that is known later',
      'outsideClose',
      2,
      ['9000', '900'],
    ],
    [
      'closes a share of all where nothing tells them apart',
      'liquidation',
      3,
      ['9666.666666666666666667', '966.666666666666666667'],
    ],
  ] as const)('%s', (_fact, taken, takenAt, left) => {
    const { ledger } = new ContractSession(FUTURES_BTC)
    const book = (clientOrderId: string, quantity: number, price: number, fee: string, time: number) => {
      const isTaken = clientOrderId === 'taken'
      const side = isTaken ? 'sell' : 'buy'
      const purpose = isTaken ? taken : 'entry'
      const size = { quantity: steps(quantity), reduceOnly: isTaken }
      ledger.orders.add(requestOf({ clientOrderId, symbol: BOOK, side, purpose, ...size }))
      ledger.orders.update(clientOrderId, 'submitted')
      const fill = {
        id: clientOrderId,
        clientOrderId,
        symbol: BOOK,
        side,
        quantity: steps(quantity),
        time,
      } as const
      ledger.book({
        ...fill,
        price: ticks(price * 10),
        fee: amountOf(fee),
        feeAsset: 'USDT',
        liquidity: 'taker',
      })
    }
    book('first', 100, 20_000, '10', 1)
    book('later', 50, 18_000, '4.5', 3)
    // All of the 2,000 of margin behind the first is lost: 100 × 0.01 × (18,000 − 20,000).
    book('taken', 100, 18_000, '0', takenAt)
    const held = ledger.contracts.of(BOOK)
    expect([held?.quantity, amountToText(held?.cost ?? ZERO), amountToText(held?.margin ?? ZERO)]).toEqual([
      50,
      ...left,
    ])
    if (takenAt === 2) expect(amountToText(ledger.balances.of('USDT'))).toBe('7985.5')
    // The rest counts as opened when the other position closed: it pays no earlier funding.
    expect(ledger.contracts.heldAt(BOOK, 1)).toBe(takenAt === 2 ? undefined : held)
    expect(ledger.contracts.heldAt(BOOK, 2)).toBe(held)
  })

  it('gives the share of what is closed back, and keeps its liquidation price', () => {
    const session = new ContractSession(FUTURES_BTC)
    session.trade({ side: 'buy', quantity: 100, price: 20_000 })
    session.trade({ side: 'sell', quantity: 40, price: 21_000, reduceOnly: true })
    // Profit 0.4 × 1,000, fee 0.05% of 8,400.
    expect(walletOf(session)).toBe('10385.8')
    expect(heldIn(session)).toEqual(['long', 60, '12000', '1200'])
    expect(short(session.ledger.liquidations.priceOf(BOOK))).toBe('18099.54751131')
    session.mark(21_000)
    expect(amountToText(session.ledger.equity('USDT'))).toBe('10985.8')
    expect(session.ledger.equityAt(FUTURES_BTC, 21_000)).toBeCloseTo(10_985.8, 9)
    // Profits of what is open back no order.
    expect(amountToText(session.ledger.free('USDT'))).toBe('9185.8')
  })

  it('flips: closes first, and opens what is left', () => {
    const session = new ContractSession(FUTURES_BTC)
    session.trade({ side: 'buy', quantity: 100, price: 20_000 })
    session.trade({ side: 'sell', quantity: 150, price: 21_000 })
    // Profit 1,000, fees 10 and 0.05% of 31,500.
    expect(walletOf(session)).toBe('10974.25')
    expect(heldIn(session)).toEqual(['short', 50, '10500', '1050'])
    expect(session.roundTrips.map(({ pnl }) => amountToText(pnl))).toEqual(['979.5'])
  })

  it('averages what is added', () => {
    const session = new ContractSession(FUTURES_BTC)
    session.trade({ side: 'buy', quantity: 100, price: 20_000 })
    session.trade({ side: 'buy', quantity: 100, price: 22_000 })
    expect(heldIn(session)).toEqual(['long', 200, '42000', '4200'])
    // The first lot is closed at its own price; the wallet moves at the average of 21,000.
    session.trade({ side: 'sell', quantity: 100, price: 22_000, reduceOnly: true })
    expect(walletOf(session)).toBe('10968')
    expect(session.roundTrips.map(({ pnl }) => amountToText(pnl))).toEqual(['1979'])
  })

  it.each([
    ['longs pay a positive rate', 'buy', '0.0001', '9987.95', '1997.95'],
    ['shorts receive it', 'sell', '0.0001', '9992.05', '2002.05'],
    ['longs receive a negative rate', 'buy', '-0.0001', '9992.05', '2002.05'],
    ['shorts pay it', 'sell', '-0.0001', '9987.95', '1997.95'],
  ] as const)('%s, from their margin', (_, side, rate, wallet, margin) => {
    const session = new ContractSession(FUTURES_BTC)
    session.trade({ side, quantity: 100, price: 20_000 })
    session.settle(rate, 20_500)
    expect(walletOf(session)).toBe(wallet)
    expect(heldIn(session)?.[3]).toBe(margin)
  })

  it('is taken over with all that is left of its margin, and nothing else', () => {
    const session = new ContractSession(FUTURES_BTC)
    session.trade({ side: 'buy', quantity: 100, price: 20_000 })
    expect(session.liquidate(18_099.6)).toBe(0)
    const [due] = session.ledger.liquidations.due(FUTURES_BTC, session.tick(18_099.5))
    expect(due).toMatchObject({
      book: BOOK,
      direction: 'long',
      quantity: 100,
      price: 180_995,
      fee: amountOf('99.5'),
    })
    session.liquidate(18_099.5)
    expect(heldIn(session)).toBeUndefined()
    expect(walletOf(session)).toBe('7990')
  })

  it('costs no more than its margin where the price jumps beyond that', () => {
    const session = new ContractSession(FUTURES_BTC)
    session.trade({ side: 'sell', quantity: 100, price: 20_000 })
    const [due] = session.ledger.liquidations.due(FUTURES_BTC, session.tick(23_000))
    expect(due).toMatchObject({ price: 220_000, fee: 0n })
    session.liquidate(23_000)
    expect(walletOf(session)).toBe('7990')
  })

  it('is closed beyond its margin at the cost of the exchange', () => {
    const session = new ContractSession(FUTURES_BTC)
    session.trade({ side: 'buy', quantity: 100, price: 20_000 })
    session.trade({ side: 'sell', quantity: 100, price: 17_000, reduceOnly: true })
    expect(walletOf(session)).toBe('7990')
    // 3,000 lost and a fee of 8.5, 2,000 of which the margin paid.
    expect(amountToText(session.ledger.contracts.borneLoss('USDT'))).toBe('1008.5')
  })
})

describe('cross positions', () => {
  it('are backed by the whole wallet', () => {
    const session = new ContractSession(CROSS)
    session.trade({ side: 'buy', quantity: 100, price: 20_000 })
    session.mark(20_000)
    expect(heldIn(session)).toEqual(['long', 100, '20000', '0'])
    // (20,000 − 9,990) ÷ (1 − 0.0055)
    expect(short(session.ledger.liquidations.priceOf(BOOK))).toBe('10065.35947712')
    expect(amountToText(session.ledger.free('USDT'))).toBe('7990')
    session.mark(19_000)
    expect(amountToText(session.ledger.free('USDT'))).toBe('6990')
    session.mark(21_000)
    expect(amountToText(session.ledger.free('USDT'))).toBe('7990')
  })

  it('take everything with them', () => {
    const session = new ContractSession(CROSS)
    session.trade({ side: 'buy', quantity: 100, price: 20_000 })
    expect(session.liquidate(10_065.4)).toBe(0)
    expect(session.liquidate(10_065.3)).toBe(1)
    expect(walletOf(session)).toBe('0')
    expect(amountToText(session.ledger.equity('USDT'))).toBe('0')
  })

  it('cost the exchange what a jump takes beyond the wallet', () => {
    const session = new ContractSession(CROSS, '2000')
    session.trade({ side: 'buy', quantity: 90, price: 20_000 })
    session.trade({ side: 'sell', quantity: 90, price: 17_000, reduceOnly: true })
    expect(walletOf(session)).toBe('0')
    // Wallet 1,991; lost 2,700 and 7.65.
    expect(amountToText(session.ledger.contracts.borneLoss('USDT'))).toBe('716.65')
  })
})

describe('two sides of one contract', () => {
  const twoWay = futuresWith({ positionMode: 'twoWay', marginMode: 'cross' })
  const [long, short_] = ['BTC/USDT:long', 'BTC/USDT:short']

  it('are held side by side', () => {
    const session = new ContractSession(twoWay)
    session.trade({ side: 'buy', quantity: 100, price: 20_000, book: long })
    session.trade({ side: 'sell', quantity: 60, price: 21_000, book: short_ })
    session.mark(20_500)
    expect(heldIn(session, long)).toEqual(['long', 100, '20000', '0'])
    expect(heldIn(session, short_)).toEqual(['short', 60, '12600', '0'])
    // 500 and 300, less fees of 10 and 6.3.
    expect(amountToText(session.ledger.equity('USDT'))).toBe('10783.7')
    expect(session.ledger.equityAt(twoWay, 20_500)).toBeCloseTo(10_783.7, 9)
    session.settle('0.0001', 20_000)
    expect(amountToText(session.funding)).toBe('0.8')
  })

  it('never net: nothing opens against a side, and nothing closes more than it', () => {
    const session = new ContractSession(twoWay)
    session.trade({ side: 'buy', quantity: 100, price: 20_000, book: long })
    const before = session.ledger.contracts.snapshot()
    const refused = (trade: TestTrade) => {
      const book = () => session.trade(trade)
      expect(book).toThrow(InvariantError)
      return expect(book)
    }
    const sell = { side: 'sell', quantity: 10, price: 20_000, book: long } as const
    refused(sell).toThrow(/^Fill order-2 of order order-2 would net with what BTC\/USDT:long holds\.$/)
    const tooMuch =
      /^Fill order-\d of order order-\d would close more than what BTC\/USDT:(long|short) holds\.$/
    refused({ ...sell, quantity: 101, reduceOnly: true }).toThrow(tooMuch)
    refused({ ...sell, side: 'buy', reduceOnly: true }).toThrow(tooMuch)
    refused({ ...sell, book: short_, reduceOnly: true }).toThrow(tooMuch)
    expect(session.ledger.contracts.snapshot()).toEqual(before)
    session.trade({ ...sell, quantity: 100, reduceOnly: true })
    expect(session.ledger.contracts.areNone).toBe(true)
  })
})

describe.each(['cross', 'isolated'] as const)('funding of a %s position', marginMode => {
  const instrument = futuresWith({ marginMode })
  const payment = (amount: string) => ({
    ...{ symbol: instrument.symbol, book: instrument.symbol, amount: amountOf(amount) },
    ...{ rate: rateOf('0.0001'), price: ticks(200_000), time: 0 },
  })

  it('that is gone when it is known comes from the wallet', () => {
    const session = new ContractSession(instrument)
    session.trade({ side: 'buy', quantity: 100, price: 20_000 })
    session.trade({ side: 'sell', quantity: 100, price: 20_000, reduceOnly: true })
    // Two fees of 0.05% of 20,000.
    expect(walletOf(session)).toBe('9980')
    session.ledger.fund(payment('2'))
    expect(walletOf(session)).toBe('9978')
    session.ledger.fund(payment('-0.5'))
    expect(walletOf(session)).toBe('9978.5')
    expect([...session.ledger.contracts.held]).toEqual([])
    expect(amountToText(session.ledger.equity('USDT'))).toBe('9978.5')
  })
})

describe('funding that is known after its isolated position was closed and another was opened', () => {
  // Settled at 2, between the opening at 1 and the closing at 3.
  const payment = {
    ...{ symbol: BOOK, book: BOOK, amount: amountOf('2'), rate: rateOf('0.0001') },
    ...{ price: ticks(200_000), time: 2 },
  }

  it.each(['buy', 'sell'] as const)('comes from the wallet, not from the margin of the next (%s)', side => {
    const session = new ContractSession(FUTURES_BTC)
    session.trade({ side: 'buy', quantity: 100, price: 20_000, time: 1 })
    session.trade({ side: 'sell', quantity: 100, price: 20_000, reduceOnly: true, time: 3 })
    session.trade({ side, quantity: 100, price: 20_000, time: 4 })
    session.ledger.fund(payment)
    // Three fees of 10, funding of 2.
    expect(walletOf(session)).toBe('9968')
    expect(heldIn(session)?.[3]).toBe('2000')
    session.ledger.fund({ ...payment, time: 5 })
    expect(walletOf(session)).toBe('9966')
    expect(heldIn(session)?.[3]).toBe('1998')
  })

  it('comes from the wallet where one fill closed the position and opened another', () => {
    const session = new ContractSession(FUTURES_BTC)
    session.trade({ side: 'buy', quantity: 100, price: 20_000, time: 1 })
    session.trade({ side: 'sell', quantity: 200, price: 20_000, time: 3 })
    session.ledger.fund(payment)
    expect(walletOf(session)).toBe('9968')
    expect(heldIn(session)).toEqual(['short', 100, '20000', '2000'])
  })

  it('comes from the margin of a position that was added to or partly closed since', () => {
    const session = new ContractSession(FUTURES_BTC)
    session.trade({ side: 'buy', quantity: 100, price: 20_000, time: 1 })
    session.trade({ side: 'buy', quantity: 100, price: 20_000, time: 3 })
    session.trade({ side: 'sell', quantity: 100, price: 20_000, reduceOnly: true, time: 4 })
    session.ledger.fund(payment)
    expect(heldIn(session)?.[3]).toBe('1998')
  })
})

describe('maintenance', () => {
  const tiers = [
    { upTo: amountOf('10000'), rate: rateOf('0.005') },
    { upTo: amountOf('50000'), rate: rateOf('0.02') },
    { rate: rateOf('0.05') },
  ]
  const instrument = futuresWith({ maintenance: tiers })

  it('goes by the tier that the worth fits into', () => {
    const session = new ContractSession(instrument)
    session.trade({ side: 'buy', quantity: 100, price: 20_000 })
    // (20,000 − 2,000) ÷ (1 − 0.0205)
    expect(short(session.ledger.liquidations.priceOf(BOOK))).toBe('18376.72281776')
    expect(session.ledger.liquidations.firstDue(instrument, ticks(200_000), 'down')).toBe(183_767)
  })

  it('finds a short that a higher tier brings down as soon as it gets there', () => {
    const session = new ContractSession(futuresWith({ maintenance: tiers, leverage: 2 }))
    session.trade({ side: 'sell', quantity: 200, price: 20_000 })
    // 40,000 at 20,000 each; margin 20,000. By 2% (58,782.9) it would go beyond 50,000, where 5% are kept: 60,000 ÷ (2 × 1.0505).
    const { liquidations } = session.ledger
    expect(liquidations.firstDue(session.instrument, ticks(200_000), 'up')).toBe(285_579)
  })
})

describe('the first price that liquidates', () => {
  // (20,000 ∓ 2,000) ÷ (1 ∓ 0.0055) and (21,000 ∓ 2,100) ÷ (1 ∓ 0.0055), on the tick beyond.
  it.each([
    ['longs', 'buy', 'down', 190_045],
    ['shorts', 'sell', 'up', 218_797],
  ] as const)('is the nearest one where several books hold %s', (_what, side, towards, first) => {
    for (const prices of [
      [20_000, 21_000],
      [21_000, 20_000],
    ]) {
      const session = new ContractSession(FUTURES_BTC)
      for (const price of prices) session.trade({ side, quantity: 100, price, book: `BTC/USDT#${price}` })
      expect(session.ledger.liquidations.firstDue(FUTURES_BTC, ticks(205_000), towards)).toBe(first)
    }
  })

  it('may be one at which a long gets into a higher tier, though none beyond it would be', () => {
    const maintenance = [{ upTo: amountOf('20000'), rate: rateOf('0.005') }, { rate: rateOf('0.05') }]
    const session = new ContractSession(futuresWith({ maintenance, leverage: 40 }))
    // Worth 19,900, margin 497.5. At 20,000, 597.5 are left and 110 kept; a tick higher, 597.6 and 1010.00505.
    session.trade({ side: 'buy', quantity: 100, price: 19_900 })
    const { liquidations } = session.ledger
    expect(liquidations.firstDue(session.instrument, ticks(199_000), 'up')).toBe(200_001)
    // At 20,500, 1097.5 are left and 1035.25 kept.
    expect(liquidations.due(session.instrument, ticks(205_000))).toEqual([])
    expect(liquidations.firstDue(session.instrument, ticks(205_000), 'up')).toBeUndefined()
    // 497.5 + price − 19,900 come down to 5.05% of the price at 20,434.439…, long before the lower tier keeps less.
    expect(liquidations.firstDue(session.instrument, ticks(205_000), 'down')).toBe(204_344)
    // If a liquidation is due at once, no price is searched for.
    expect(liquidations.firstDue(session.instrument, ticks(204_000), 'down')).toBe(204_000)
    expect(liquidations.firstDue(session.instrument, ticks(204_000), 'up')).toBe(204_000)
  })
})

describe('orders of contracts', () => {
  it('reserve margin and fee, either way; those that reduce reserve nothing', () => {
    const session = new ContractSession(FUTURES_BTC)
    const spec = { type: 'limit', price: session.tick(20_000) } as const
    const quantity = steps(100)
    session.ledger.orders.add(requestOf({ clientOrderId: 'a', spec, quantity }))
    session.ledger.orders.add(requestOf({ clientOrderId: 'b', spec, quantity, side: 'sell' }))
    session.ledger.orders.add(
      requestOf({ clientOrderId: 'c', spec, quantity, side: 'sell', reduceOnly: true }),
    )
    expect(amountToText(session.ledger.reserved('USDT'))).toBe('4020')
    expect(session.ledger.reserved('BTC')).toBe(ZERO)
    expect(amountToText(session.ledger.free('USDT'))).toBe('5980')
  })
})
