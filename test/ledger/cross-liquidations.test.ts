import { describe, expect, it } from 'vitest'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf, amountToText } from '../../src/domain/numbers/amount.ts'
import { steps, type Ticks, ticks } from '../../src/domain/numbers/grid.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { FUTURES_BTC, futuresWith } from '../domain/instruments.ts'
import { fillOf, requestOf } from './order-parts.ts'

const BTC = futuresWith({ marginMode: 'cross' })
const ETH: Instrument = { ...BTC, symbol: 'ETH/USDT', base: 'ETH', contractSize: amountOf('0.1') }
/** Of the same account; nothing is held of it. */
const LTC: Instrument = { ...BTC, symbol: 'LTC/USDT', base: 'LTC' }
/** Of another quote: nothing of it stands behind the others, nor they behind it. */
const BTC_EUR: Instrument = { ...BTC, symbol: 'BTC/EUR', quote: 'EUR' }

/** A price in ticks of 0.1. */
const at = (price: number): Ticks => ticks(Math.round(price * 10))

/** Opens contracts at a price, without a fee. */
function open(
  ledger: Ledger,
  { symbol, quote }: Instrument,
  side: 'buy' | 'sell',
  count: number,
  price: number,
): void {
  const request = requestOf({ clientOrderId: symbol, symbol, book: symbol, side, quantity: steps(count) })
  ledger.orders.add(request)
  ledger.orders.update(symbol, 'submitted')
  const fill = fillOf(request, { price: '1', quantity: '1', feeAsset: quote })
  ledger.book({ ...fill, price: at(price), quantity: steps(count) })
}

/**
 * 3000 USDT (or as many as are said) behind a long of 0.5 BTC at 20,000 and a short of 10 ETH at 1000, marked 19,000 and 1100: 500 and 1000 are lost,
 * and 0.55% of 9500 and of 11,000 must be kept (52.25 and 60.5). Beside them 10 EUR and a long of 0.01 BTC, without a price.
 */
function twoContracts(balance = '3000'): Ledger {
  const opening = [
    ['USDT', amountOf(balance)],
    ['EUR', amountOf('10')],
  ] as const
  const ledger = new Ledger([BTC, ETH, BTC_EUR, LTC], opening)
  open(ledger, BTC, 'buy', 50, 20_000)
  open(ledger, ETH, 'sell', 100, 1000)
  open(ledger, BTC_EUR, 'buy', 1, 100)
  ledger.mark(BTC, at(19_000))
  ledger.mark(ETH, at(1100))
  return ledger
}

/** What is due, with money as text. */
const due = (ledger: Ledger, instrument: Instrument, mark: number) =>
  ledger.liquidations
    .due(instrument, at(mark))
    .map(({ symbol, direction, quantity, price, fee }) => [
      symbol,
      direction,
      quantity,
      price,
      amountToText(fee),
    ])

describe('cross positions of several contracts', () => {
  it('stand behind each other: money, equity and size', () => {
    const ledger = twoContracts()
    expect(amountToText(ledger.equity('USDT'))).toBe('1500')
    const { held, equity, unrealized, initialMargin, maintenance, worth } = ledger.contracts.cross('USDT')
    expect(held.map(({ book }) => book)).toEqual(['BTC/USDT', 'ETH/USDT'])
    expect([equity, unrealized, initialMargin, maintenance, worth].map(amountToText)).toEqual([
      ...['1500', '-1500', '2000', '112.75', '20500'],
    ])
    // 3000, less 1500 lost and margins of 1000 each.
    expect(amountToText(ledger.free('USDT'))).toBe('-500')
    // 10, less a tenth of 1.
    expect(amountToText(ledger.free('EUR'))).toBe('9.9')
    expect([BTC, ETH, BTC_EUR].map(one => amountToText(ledger.contracts.sizeOf(one)))).toEqual([
      '0.5',
      '-10',
      '0.01',
    ])
    expect(['USDT', 'EUR'].map(quote => amountToText(ledger.contracts.soldLessCost(quote)))).toEqual([
      '0',
      '-1',
    ])
  })

  it('show the price that liquidates each while the others stay where they are', () => {
    const { liquidations } = twoContracts()
    const shown = (book: string) => amountToText(liquidations.priceOf(book) ?? amountOf('0')).slice(0, 13)
    // (10,000 − (1500 + 500 − 60.5)) ÷ (0.5 × 0.9945)
    expect(shown('BTC/USDT')).toBe('16210.1558572')
    // (10,000 + (1500 + 1000 − 52.25)) ÷ (10 × 1.0055)
    expect(shown('ETH/USDT')).toBe('1237.96618597')
    // 10 EUR stand behind 1 EUR.
    expect(shown('BTC/EUR')).toBe('0')
    expect(liquidations.priceOf('BTC/USD')).toBeUndefined()
  })

  it('are taken over together, each with its share of the equity by its worth', () => {
    const ledger = twoContracts()
    expect(ledger.liquidations.firstDue(BTC, at(19_000), 'down')).toBe(at(16_210.1))
    expect(due(ledger, BTC, 16_210.2)).toEqual([])
    // 2000 − 0.5 × 3789.9 = 105.05 are left behind 8105.05 and 11,000.
    expect(due(ledger, BTC, 16_210.1)).toEqual([
      ['BTC/USDT', 'long', 50, at(16_210.1), '44.565991845088078806'],
      ['ETH/USDT', 'short', 100, at(1100), '60.484008154911921194'],
    ])
    expect(ledger.liquidations.firstDue(ETH, at(1100), 'up')).toBe(at(1238))
    expect(due(ledger, BTC_EUR, 100)).toEqual([])
  })

  it('are due by no price of a contract that is not held', () => {
    const { liquidations } = twoContracts('1600')
    // 1600 less 1500 lost, and 112.75 to keep: both are due wherever they are.
    expect(liquidations.firstDue(BTC, at(19_000), 'up')).toBe(at(19_000))
    expect(liquidations.firstDue(LTC, at(100), 'up')).toBeUndefined()
    expect(liquidations.firstDue(LTC, at(100), 'down')).toBeUndefined()
  })

  it('are taken over at prices that nothing is missing at where a jump leaves less than nothing', () => {
    // 2000 − 0.5 × 6000 = −1000, of which 7000 ÷ 18,000 are the long's: 7778 ticks of 0.05 cover it, 612 of 1 the short's.
    expect(due(twoContracts(), BTC, 14_000)).toEqual([
      ['BTC/USDT', 'long', 50, at(14_777.8), '0.011111111111111112'],
      ['ETH/USDT', 'short', 100, at(1038.8), '0.888888888888888888'],
    ])
  })

  it('are due as soon as no more is left than they must keep', () => {
    const ledger = new Ledger([BTC], [['USDT', amountOf('1049.5')]])
    open(ledger, BTC, 'buy', 50, 20_000)
    // At 18,000, 1000 are lost, and 0.55% of 9000 kept.
    expect(due(ledger, BTC, 18_000.1)).toEqual([])
    expect(due(ledger, BTC, 18_000)).toEqual([['BTC/USDT', 'long', 50, at(18_000), '49.5']])
  })
})

describe('isolated positions of several contracts', () => {
  it('are due by the price of their own contract', () => {
    const isolated = [BTC, ETH].map(one => ({ ...one, futures: FUTURES_BTC.futures }) as Instrument)
    const ledger = new Ledger(isolated, [['USDT', amountOf('3000')]])
    for (const [index, price] of [20_000, 1000].entries()) {
      const instrument = isolated[index] as Instrument // one for each price
      open(ledger, instrument, 'buy', 10, price)
      expect(due(ledger, instrument, price)).toEqual([])
    }
  })
})
