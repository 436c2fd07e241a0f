import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import type { LimitWish } from '../../../src/domain/signal.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { SPOT } from '../../engine/engine-session.ts'
import { fillWords, QUIET, type Row, type RunSettings, run, runScript } from '../kline-table.ts'
import { orderEnds, scriptedWithEnds } from './order-ends.ts'

const bid = (price: number, how: Partial<LimitWish>) => enterLong({ order: { type: 'limit', price, ...how } })
const IOC = { timeInForce: 'IOC' } as const
const FOK = { timeInForce: 'FOK' } as const
const POST = { postOnly: true } as const

/** Fills, and how orders ended, of a bid for one BTC that is decided on the first kline. */
function outcome(
  wish: readonly [number, Partial<LimitWish>],
  rows: readonly Row[],
  settings: RunSettings = {},
) {
  const strategy = scriptedWithEnds({ 0: bid(...wish) })
  const result = run(strategy, [QUIET, ...rows], settings)
  return [...fillWords(result, settings.instrument), ...orderEnds(strategy)]
}

describe('an IOC order', () => {
  const table: readonly (readonly [string, number, readonly Row[], Partial<FillSettings>, string[]])[] = [
    [
      'takes at the open that lies beyond its price',
      101,
      [[100, 101, 99, 100]],
      {},
      ['1: buy 1 at 100 taker', 'filled'],
    ],
    [
      'never rests: a kline that reaches its price later does not fill it',
      99,
      [
        [100, 101, 95, 100],
        [95, 96, 94, 95],
      ],
      {},
      ['canceled'],
    ],
    ['is not filled by an open that only touches its price', 100, [[100, 101, 95, 100]], {}, ['canceled']],
    [
      'is filled by such an open on a touch',
      100,
      [[100, 101, 95, 100]],
      { limitFill: 'touch' },
      ['1: buy 1 at 100 taker', 'filled'],
    ],
    // Half of the volume of 1 is 0.5.
    [
      'cancels what the volume at its open does not cover',
      101,
      [
        [100, 101, 99, 100],
        [100, 101, 99, 100],
      ],
      { maxVolumeShare: 0.5 },
      ['1: buy 0.5 at 100 taker', 'canceled'],
    ],
    [
      'meets the first open after its latency',
      101,
      [
        [100, 101, 99, 100],
        [100.5, 101, 99, 100],
      ],
      { latencyMs: 1 },
      ['2: buy 1 at 100.5 taker', 'filled'],
    ],
    // 100 × 1.02 = 102, but its price is 101.
    [
      'never pays more than its price',
      101,
      [[100, 101, 99, 100]],
      { slippageRate: 0.02 },
      ['1: buy 1 at 101 taker', 'filled'],
    ],
  ]
  it.each(table)('%s', (_name, price, rows, fills, expected) => {
    expect(outcome([price, IOC], rows, { fills })).toEqual(expected)
  })
})

describe('a FOK order', () => {
  it('trades all of its quantity at the open', () => {
    expect(outcome([101, FOK], [[100, 101, 99, 100]])).toEqual(['1: buy 1 at 100 taker', 'filled'])
  })

  it('trades nothing where the volume does not cover it', () => {
    expect(outcome([101, FOK], [[100, 101, 99, 100]], { fills: { maxVolumeShare: 0.5 } })).toEqual([
      'canceled',
    ])
  })

  it('trades nothing where the balance does not pay for all of it', () => {
    // Decided at 100, both open at 110: the market order leaves 215 - 110 = 105 USDT.
    const wordsOf = (wish: Partial<LimitWish>) => {
      const signals = [enterLong(), { ...bid(112, wish), scaleIn: true }]
      const rows: Row[] = [QUIET, [110, 110, 110, 110]]
      return fillWords(runScript({ 0: signals }, rows, { instrument: SPOT, quote: '215' }), SPOT)
    }
    // 105 ÷ 110 = 0.954…
    expect(wordsOf(IOC)).toEqual(['1: buy 1 at 110 taker', '1: buy 0.954 at 110 taker'])
    expect(wordsOf(FOK)).toEqual(['1: buy 1 at 110 taker'])
  })

  it('never rests', () => {
    expect(outcome([99, FOK], [[100, 101, 95, 100]])).toEqual(['canceled'])
  })
})

describe('a post-only order', () => {
  it('is refused by the first open that it would take at', () => {
    expect(outcome([101, POST], [[100, 102, 99, 100]])).toEqual(['canceled'])
  })

  it('rests otherwise, and fills as any other that rests', () => {
    expect(outcome([99, POST], [[100, 101, 98, 100]])).toEqual(['1: buy 1 at 99 maker', 'filled'])
    expect(outcome([99, POST], [QUIET, [95, 96, 94, 95]])).toEqual(['2: buy 1 at 99 maker', 'filled'])
  })

  it('rests at an open that only touches its price, and is refused there on a touch', () => {
    expect(outcome([100, POST], [[100, 101, 99, 100]])).toEqual(['1: buy 1 at 100 maker', 'filled'])
    expect(outcome([100, POST], [[100, 101, 99, 100]], { fills: { limitFill: 'touch' } })).toEqual([
      'canceled',
    ])
  })

  it('meets its first open after its latency', () => {
    const rows: Row[] = [
      [100, 102, 99, 100],
      [95, 96, 94, 95],
    ]
    expect(outcome([99, POST], rows, { fills: { latencyMs: 1 } })).toEqual(['canceled'])
  })

  it('to sell is refused where the open lies above its price', () => {
    const offer = enterShort({ order: { type: 'limit', price: 99, postOnly: true } })
    expect(runScript({ 0: offer }, [QUIET, QUIET]).fills).toEqual([])
  })

  it('leaves a position as it is when it was an exit and was refused', () => {
    const leave = exit({ order: { type: 'limit', price: 99, postOnly: true } })
    const result = runScript({ 0: enterLong(), 1: leave }, [QUIET, QUIET, QUIET])
    expect(fillWords(result)).toEqual(['1: buy 1 at 100 taker'])
    expect(result.workingOrders).toBe(0)
  })
})

describe('an order that trades if touched', () => {
  const dip = enterLong({ order: { type: 'ifTouched', triggerPrice: 98 } })
  const table: readonly (readonly [string, Row, Partial<FillSettings>, string | undefined])[] = [
    ['waits above its price', [100, 101, 98.01, 99], {}, undefined],
    ['trades at its price once the kline touches it', [100, 101, 98, 99], {}, '98 taker'],
    ['trades at the open beyond it', [97, 99, 96, 98], {}, '97 taker'],
    // 98 × 1.001 = 98.098
    ['pays slippage', [100, 101, 98, 99], { slippageRate: 0.001 }, '98.1 taker'],
    ['trades on the way of a known path', [100, 101, 97, 99], { path: 'ohlc' }, '98 taker'],
    ['trades as well where one hopes for the best', [100, 101, 97, 99], { path: 'optimistic' }, '98 taker'],
  ]
  it.each(table)('%s', (_name, row, fills, expected) => {
    const words = expected === undefined ? [] : [`2: buy 1 at ${expected}`]
    expect(fillWords(runScript({ 0: dip }, [QUIET, QUIET, row], { fills }))).toEqual(words)
  })

  it('to sell waits below', () => {
    const peak = enterShort({ order: { type: 'ifTouched', triggerPrice: 102 } })
    const result = runScript({ 0: peak }, [QUIET, [100, 101.99, 99, 100], [100, 102, 99, 100]])
    expect(fillWords(result)).toEqual(['2: sell 1 at 102 taker'])
    expect(result.fills[0]?.rule).toBe('touchedInside')
  })

  it('ends with what the volume gives', () => {
    const rows: Row[] = [QUIET, QUIET, [100, 101, 97, 99], [99, 99, 99, 99]]
    const result = runScript({ 0: dip }, rows, { fills: { maxVolumeShare: 0.5 } })
    expect(fillWords(result)).toEqual(['2: buy 0.5 at 98 taker'])
    expect(result.workingOrders).toBe(0)
  })
})

describe('an exit at a stop', () => {
  it('closes once its price is reached, beside the protection', () => {
    const script = {
      0: enterLong({ stopLoss: 90, takeProfit: 120 }),
      1: exit({ order: { type: 'stop', stopPrice: 97 } }),
    }
    const result = runScript(script, [QUIET, QUIET, [100, 101, 96, 99]])
    expect(fillWords(result)).toEqual(['1: buy 1 at 100 taker', '2: sell 1 at 97 taker'])
    expect(result.workingOrders).toBe(0)
  })

  it('may name a limit, and rest at it', () => {
    const order = { type: 'stopLimit', stopPrice: 97, price: 96 } as const
    const rows: Row[] = [QUIET, QUIET, [95, 95.5, 94, 95], [95, 97, 94, 95]]
    expect(fillWords(runScript({ 0: enterLong(), 1: exit({ order }) }, rows))).toEqual([
      '1: buy 1 at 100 taker',
      '3: sell 1 at 96 maker',
    ])
  })
})
