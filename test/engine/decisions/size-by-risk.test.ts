import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import type { EnterSignal, OrderWish } from '../../../src/domain/signal.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { EngineSession, MARGIN, scripted } from '../engine-session.ts'

/** An instrument of whole prices. */
const COARSE = { ...MARGIN, pricePrecision: 0 }
const size = { riskFraction: 0.01 }

describe('an entry by riskFraction counts with the prices on the grid', () => {
  // 1% of 10,000 are 100.
  it.each<[string, EnterSignal, number, string, string]>([
    // 100 ÷ (100 - 97)
    ['a long', enterLong({ stopLoss: 97.6 }), 100, 'buy 33.333 market', 'sell 33.333 stop 97'],
    // 100 ÷ (103 - 100)
    ['a short', enterShort({ stopLoss: 102.4 }), 100, 'sell 33.333 market', 'buy 33.333 stop 103'],
    // 97.6 and 102.4 once more
    [
      'a long with a fraction',
      enterLong({ stopLoss: { fraction: 0.024 } }),
      100,
      'buy 33.333 market',
      'sell 33.333 stop 97',
    ],
    [
      'a short with a fraction',
      enterShort({ stopLoss: { fraction: 0.024 } }),
      100,
      'sell 33.333 market',
      'buy 33.333 stop 103',
    ],
    // 100 ÷ (100 - 99): the nearest tick is the entry price itself.
    ['a stop-loss near by', enterLong({ stopLoss: 99.6 }), 100, 'buy 100 market', 'sell 100 stop 99'],
    // 100 ÷ (104 - 100)
    [
      'a long by stop',
      enterLong({ order: { type: 'stop', stopPrice: 103.4 }, stopLoss: 100 }),
      104,
      'buy 25 stop 104',
      'sell 25 stop 100',
    ],
    // 100 ÷ (100 - 96)
    [
      'a short by stop',
      enterShort({ order: { type: 'stop', stopPrice: 96.6 }, stopLoss: 100 }),
      96,
      'sell 25 stop 96',
      'buy 25 stop 100',
    ],
  ])('of %s', (_name, signal, filledAt, entry, stop) => {
    const session = new EngineSession(scripted({ 0: signal }), { instrument: COARSE, size })
    expect(session.kline(100)).toEqual([`entry ${entry}`])
    expect(session.fill(1, filledAt)).toEqual([`stopLoss ${stop} reduceOnly`])
  })

  // The market is at 100.
  it.each<[string, EnterSignal, number, string, string]>([
    // Sold at 100, not at 80: 100 ÷ (110 - 100)
    [
      'a short by a limit that the market has passed',
      enterShort({ order: { type: 'limit', price: 80 }, stopLoss: { fraction: 0.1 } }),
      100,
      'sell 10 limit 80',
      'buy 10 stop 110',
    ],
    // Sold at 90 or lower, down to 80: 100 ÷ (99 - 90)
    [
      'a short by a stop-limit',
      enterShort({ order: { type: 'stopLimit', stopPrice: 90, price: 80 }, stopLoss: { fraction: 0.1 } }),
      90,
      'sell 11.111 stop 90 limit 80',
      'buy 11.111 stop 99',
    ],
    // Rests: 100 ÷ (220 - 200)
    [
      'a short by a limit above the market',
      enterShort({ order: { type: 'limit', price: 200 }, stopLoss: { fraction: 0.1 } }),
      200,
      'sell 5 limit 200',
      'buy 5 stop 220',
    ],
    // A price of its own stays where it is, and so farther from the limit than from the market: 100 ÷ (110 - 80)
    [
      'a short by a limit with the price of a stop-loss',
      enterShort({ order: { type: 'limit', price: 80 }, stopLoss: 110 }),
      100,
      'sell 3.333 limit 80',
      'buy 3.333 stop 110',
    ],
    // A lower price brings its stop-loss nearer: 100 ÷ (120 - 108)
    [
      'a long by a limit that the market has passed',
      enterLong({ order: { type: 'limit', price: 120 }, stopLoss: { fraction: 0.1 } }),
      100,
      'buy 8.333 limit 120',
      'sell 8.333 stop 90',
    ],
  ])('and with the price that loses most, of %s', (_name, signal, filledAt, entry, stop) => {
    const session = new EngineSession(scripted({ 0: signal }), { instrument: COARSE, size })
    expect(session.kline(100)).toEqual([`entry ${entry}`])
    expect(session.fill(1, filledAt)).toEqual([`stopLoss ${stop} reduceOnly`])
  })

  it('and so loses at the placed stop at most its fraction of the equity', () => {
    fc.assert(
      fc.property(
        anyEntry,
        ({ precision, priceTicks, isLong, kind, shift, stopRate, byFraction, ...money }) => {
          const away = isLong ? -1 : 1
          const price = priceTicks / 10 ** precision
          const level = kind === 'market' ? price : price * (1 + shift)
          const stopLoss = byFraction ? { fraction: stopRate } : level * (1 + away * stopRate)
          const terms = {
            order: orderAt(kind, level),
            size: { riskFraction: money.points / 10_000 },
            stopLoss,
          }
          const signal = isLong ? enterLong(terms) : enterShort(terms)
          const session = new EngineSession(scripted({ 0: signal }), {
            instrument: { ...LENIENT, pricePrecision: precision },
            quote: `${money.equity}`,
          })
          session.kline(price)
          fc.pre(session.placed.length === 1)
          const { spec, quantity } = session.order(1)
          const entry =
            spec.type === 'limit' ? spec.price : spec.type === 'stop' ? spec.stopPrice : priceTicks
          session.fill(1, entry / 10 ** precision)
          const stop = session.order(2).spec
          if (stop.type !== 'stop') throw new Error(`The stop-loss is a ${stop.type} order.`)
          // In units of 10^-precision ÷ 1,000 of quote: a quantity is in thousandths, a price in ticks.
          const loss = BigInt(quantity) * BigInt(Math.abs(entry - stop.stopPrice))
          const units = 10n ** BigInt(precision) * 1000n
          expect(loss * 10_000n).toBeLessThanOrEqual(BigInt(money.equity) * BigInt(money.points) * units)
        },
      ),
      { numRuns: 300 },
    )
  })
})

/** Takes orders of any worth. */
const LENIENT = {
  ...MARGIN,
  leverage: { min: 1, max: 1_000_000 },
  minNotional: amountOf('0'),
  maxQuantity: MARGIN.maxQuantity * 1_000_000,
} as typeof MARGIN

const anyEntry = fc.record({
  precision: fc.integer({ min: 0, max: 4 }),
  priceTicks: fc.integer({ min: 20, max: 1_000_000 }),
  isLong: fc.boolean(),
  kind: fc.constantFrom('market', 'limit', 'stop'),
  /** From the latest price to that of the order, a fraction. */
  shift: fc.double({ min: -0.1, max: 0.1, noNaN: true }),
  /** From the price of the order to the stop-loss, a fraction. */
  stopRate: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
  byFraction: fc.boolean(),
  /** Whole USDT. */
  equity: fc.integer({ min: 1000, max: 1_000_000 }),
  /** Hundredths of a percent of the equity at risk. */
  points: fc.integer({ min: 1, max: 500 }),
})

function orderAt(kind: 'market' | 'limit' | 'stop', price: number): OrderWish {
  if (kind === 'market') return { type: 'market' }
  return kind === 'limit' ? { type: 'limit', price } : { type: 'stop', stopPrice: price, triggerAtOnce: true }
}
