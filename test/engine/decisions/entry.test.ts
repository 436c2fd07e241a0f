import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import type { EnterSignal, OrderWish, Size } from '../../../src/domain/signal.ts'
import { passedTrigger } from '../../../src/engine/orders/passed-trigger.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { EngineSession, MARGIN, type SessionOptions, SPOT, scripted } from '../engine-session.ts'

const LEAST_10 = { ...MARGIN, minNotional: amountOf('10') }

/** What one signal leads to on a kline that closes at 100, with 10,000 USDT and no position. */
function outcomeOf(signal: EnterSignal, options?: SessionOptions): string[] {
  return new EngineSession(scripted({ 0: signal }), options).kline(100)
}

describe('an entry', () => {
  const byOrder: readonly (readonly [string, EnterSignal, string])[] = [
    ['market long', enterLong(), 'entry buy 1 market'],
    ['market short', enterShort(), 'entry sell 1 market'],
    ['limit long', enterLong({ order: { type: 'limit', price: 98.5 } }), 'entry buy 1 limit 98.5'],
    ['limit short', enterShort({ order: { type: 'limit', price: 101 } }), 'entry sell 1 limit 101'],
    ['stop long', enterLong({ order: { type: 'stop', stopPrice: 103 } }), 'entry buy 1 stop 103'],
    ['stop short', enterShort({ order: { type: 'stop', stopPrice: 97 } }), 'entry sell 1 stop 97'],
    [
      'stop-limit long',
      enterLong({ order: { type: 'stopLimit', stopPrice: 103, price: 104 } }),
      'entry buy 1 stop 103 limit 104',
    ],
    [
      'stop-limit short',
      enterShort({ order: { type: 'stopLimit', stopPrice: 97, price: 96 } }),
      'entry sell 1 stop 97 limit 96',
    ],
  ]
  it.each(byOrder)('by %s becomes the order of that type and side', (_name, signal, expected) => {
    expect(outcomeOf(signal)).toEqual([expected])
  })

  it('rounds a limit towards later and a stop towards later', () => {
    expect(outcomeOf(enterLong({ order: { type: 'limit', price: 98.557 } }))).toEqual([
      'entry buy 1 limit 98.55',
    ])
    expect(outcomeOf(enterShort({ order: { type: 'limit', price: 101.551 } }))).toEqual([
      'entry sell 1 limit 101.56',
    ])
    expect(outcomeOf(enterLong({ order: { type: 'stop', stopPrice: 103.001 } }))).toEqual([
      'entry buy 1 stop 103.01',
    ])
    expect(outcomeOf(enterShort({ order: { type: 'stop', stopPrice: 97.009 } }))).toEqual([
      'entry sell 1 stop 97',
    ])
  })

  const passed: readonly (readonly [string, EnterSignal])[] = [
    ['a stop buy at the latest price', enterLong({ order: { type: 'stop', stopPrice: 100 } })],
    ['a stop buy below it', enterLong({ order: { type: 'stop', stopPrice: 99 } })],
    ['a stop sell at it', enterShort({ order: { type: 'stop', stopPrice: 100 } })],
    ['a stop sell above it', enterShort({ order: { type: 'stop', stopPrice: 101 } })],
    ['a stop-limit buy below it', enterLong({ order: { type: 'stopLimit', stopPrice: 99, price: 98 } })],
    ['a buy if touched at it', enterLong({ order: { type: 'ifTouched', triggerPrice: 100 } })],
    ['a buy if touched above it', enterLong({ order: { type: 'ifTouched', triggerPrice: 101 } })],
    ['a sell if touched below it', enterShort({ order: { type: 'ifTouched', triggerPrice: 99 } })],
  ]
  it.each(passed)('by %s is denied, unless it may trade at once', (_name, signal) => {
    expect(outcomeOf(signal)).toEqual(['denied by triggerPassed'])
    const order = { ...signal.order, triggerAtOnce: true } as OrderWish
    expect(outcomeOf({ ...signal, order })).toEqual([expect.stringMatching(/^entry /)])
  })

  it.each<readonly [EnterSignal['order'] & object, 'buy' | 'sell', string]>([
    [
      { type: 'stop', stopPrice: 99 },
      'buy',
      'The stop buy at 99.00 USDT must wait above the latest price 100.00 USDT: it would trade at once. Say triggerAtOnce: true in its order if it may.',
    ],
    [
      { type: 'ifTouched', triggerPrice: 98.5 },
      'sell',
      'The ifTouched sell at 98.50 USDT must wait above the latest price 100.00 USDT: it would trade at once. Say triggerAtOnce: true in its order if it may.',
    ],
  ])('says what is wrong with %o', (order, side, message) => {
    expect(passedTrigger(MARGIN, order, side, ticks(10_000))).toMatchObject({ message })
  })

  const stopLoss = 98
  const bySize: readonly (readonly [string, Size, string])[] = [
    ['base', { base: 2.5 }, 'entry buy 2.5 market'],
    ['base off the grid, downwards', { base: 2.4999 }, 'entry buy 2.499 market'],
    // 1,000 ÷ 100
    ['quote', { quote: 1000 }, 'entry buy 10 market'],
    // 10,000 × 0.5 ÷ 100
    ['equityFraction', { equityFraction: 0.5 }, 'entry buy 50 market'],
    // 10,000 × 0.01 ÷ (100 - 98)
    ['riskFraction', { riskFraction: 0.01 }, 'entry buy 50 market'],
  ]
  it.each(bySize)('is sized by %s', (_name, size, expected) => {
    expect(outcomeOf(enterLong({ size, stopLoss }))).toEqual([expected])
  })

  it('takes the size of the configuration where the signal names none', () => {
    expect(outcomeOf(enterLong(), { size: { quote: 250 } })).toEqual(['entry buy 2.5 market'])
  })

  it('is sized at its own price when it rests', () => {
    // 1,000 ÷ 80; risk: 100 ÷ |80 - 75|
    const order = { type: 'limit', price: 80 } as const
    expect(outcomeOf(enterLong({ order, size: { quote: 1000 } }))).toEqual(['entry buy 12.5 limit 80'])
    expect(outcomeOf(enterLong({ order, size: { riskFraction: 0.01 }, stopLoss: 75 }))).toEqual([
      'entry buy 20 limit 80',
    ])
  })

  it('leaves the fee in quote free when it takes all equity', () => {
    // 10,000 ÷ (100 × 1.001) = 99.9000999…
    const instrument = { ...SPOT, fees: { ...SPOT.fees, paidIn: 'quote' } } as const
    expect(outcomeOf(enterLong({ size: { equityFraction: 1 } }), { instrument })).toEqual([
      'entry buy 99.9 market',
    ])
  })
})

describe('an entry in the direction of the open position', () => {
  it('is ignored while the position is open', () => {
    const session = new EngineSession(scripted({ 0: enterLong(), 1: enterLong(), 2: enterLong() }))
    session.kline(100)
    expect(session.kline(100)).toEqual([])
    session.fill(1, 100)
    expect(session.kline(100)).toEqual([])
    expect(session.held).toBe(1)
  })

  it('beside a remainder below the smallest order is denied, and says what is held; beside more it does nothing', () => {
    const enters = { 0: enterLong(), 1: enterLong(), 2: enterLong(), 3: enterLong({ scaleIn: true }) }
    const session = new EngineSession(scripted(enters), { instrument: LEAST_10, size: { base: 0.11 } })
    expect(session.kline(100)).toEqual(['entry buy 0.11 market'])
    session.fill(1, 100)
    // Worth 11, then 8.8.
    expect(session.kline(100)).toEqual([])
    expect(session.kline(80)).toEqual(['denied by minimumNotional'])
    const [denied] = session.outputs.filter(output => output.type === 'denied')
    expect(denied?.denial.message).toBe(
      'The strategy still holds 0.110 BTC of BTC/USDT, less than the smallest order of 10 USDT, which cannot be closed: an entry adds to it only with scaleIn.',
    )
    expect(session.kline(100)).toEqual(['entry buy 0.11 market'])
  })

  it('adds to the position with scaleIn', () => {
    const session = new EngineSession(scripted({ 0: enterLong(), 1: enterLong({ scaleIn: true }) }))
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100)).toEqual(['entry buy 1 market'])
  })
})

describe('a denied entry', () => {
  const table: readonly (readonly [string, EnterSignal, string, SessionOptions])[] = [
    ['nothing left on the grid', enterLong({ size: { base: 0.0009 } }), 'minimumVolume', {}],
    ['too large', enterLong({ size: { base: 99_001 } }), 'maximumVolume', {}],
    ['worth too little', enterLong({ size: { base: 0.049 } }), 'minimumNotional', {}],
    [
      'beyond the leverage bound',
      enterLong({ size: { base: 999 }, order: { type: 'limit', price: 101 } }),
      'leverage',
      {},
    ],
    ['short on a spot account', enterShort(), 'balance', { instrument: SPOT }],
    ['more than a spot account has', enterLong({ size: { base: 100.001 } }), 'balance', { instrument: SPOT }],
    ['riskFraction without a stop-loss', enterLong({ size: { riskFraction: 0.01 } }), 'sizing', {}],
    ['stop-loss above a long entry', enterLong({ stopLoss: 100 }), 'protection', {}],
    ['stop-loss below a short entry', enterShort({ stopLoss: 99 }), 'protection', {}],
    ['take-profit below a long entry', enterLong({ takeProfit: 99 }), 'protection', {}],
    ['take-profit above a short entry', enterShort({ takeProfit: 100 }), 'protection', {}],
  ]
  it.each(table)('is a notice and places nothing: %s', (_name, signal, rule, options) => {
    const session = new EngineSession(scripted({ 0: signal }), options)
    expect(session.kline(100)).toEqual([`denied by ${rule}`])
    expect(session.ledger.orders.working.length).toBe(0)
  })

  it('carries a sentence with the limit and what was asked for', () => {
    const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 0.049 } }) }))
    session.kline(100)
    const denial = session.outputs.flatMap(output => (output.type === 'denied' ? [output.denial] : []))[0]
    expect(denial).toMatchObject({ limit: '5 USDT', actual: '4.9 USDT', intent: { decidedAt: 60_000 } })
    expect(denial?.message).toBe('The order is worth 4.9 USDT, below the smallest order of BTC/USDT, 5 USDT.')
  })

  it('does not stop the other signals of its decision', () => {
    const session = new EngineSession(scripted({ 0: [enterLong({ size: { base: 0.01 } }), enterShort()] }))
    expect(session.kline(100)).toEqual(['denied by minimumNotional', 'entry sell 1 market'])
  })
})

it('an entry by stop that the price has passed is denied with both prices', () => {
  const session = new EngineSession(scripted({ 0: enterLong({ order: { type: 'stop', stopPrice: 99.5 } }) }))
  expect(session.kline(100)).toEqual(['denied by triggerPassed'])
  const denied = session.outputs.find(output => output.type === 'denied')
  expect(denied?.denial).toMatchObject({
    limit: 'above the latest price 100.00 USDT',
    actual: '99.50 USDT',
    message:
      'The stop buy at 99.50 USDT must wait above the latest price 100.00 USDT: it would trade at once. Say triggerAtOnce: true in its order if it may.',
  })
})
