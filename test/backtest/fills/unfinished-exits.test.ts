import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { columnsFrom } from '../../../src/klines/kline-columns.ts'
import { defineStrategy, enterLong, enterShort, exit, targetPosition } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { fillWords, klinesOf, QUIET, type Row, runScript } from '../kline-table.ts'
import { playTicks, saying, ticksWithBooks } from '../ticks/tick-run.ts'

type Script = Readonly<Record<number, Signal | readonly Signal[]>>

const THREE = enterLong({ size: { base: 3 } })
const BOUGHT = '1: buy 3 at 100 taker'

/** Buys 3 on the second kline; orders may trade all the volume of a kline, which from the third on is what `volumes` say. */
function played(volumes: readonly number[], script: Script, settings: object = {}) {
  const volume = Float64Array.of(10, 10, ...volumes)
  const klines = { ...klinesOf(Array.from(volume, () => QUIET)), volume }
  return runScript({ 0: THREE, ...script }, [], { klines, fills: { maxVolumeShare: 1 }, ...settings })
}

describe('the rest of an exit beyond the volume of its kline', () => {
  it('goes on at every open until it has traded', () => {
    const result = played([1, 0, 1, 5, 5], { 1: exit() })
    expect(fillWords(result)).toEqual([
      BOUGHT,
      '2: sell 1 at 100 taker',
      '4: sell 1 at 100 taker',
      '5: sell 1 at 100 taker',
    ])
    expect(result.workingOrders).toBe(0)
  })

  it('is over where a target takes its place', () => {
    const result = played([1, 1, 1, 1], { 1: exit(), 2: targetPosition({ base: 1.5 }) })
    expect(fillWords(result)).toEqual([BOUGHT, '2: sell 1 at 100 taker', '3: sell 0.5 at 100 taker'])
  })

  it('is over where the strategy decides to stay', () => {
    const result = played([1, 5, 5], { 1: exit(), 2: enterLong() })
    expect(fillWords(result)).toEqual([BOUGHT, '2: sell 1 at 100 taker'])
    expect(result.workingOrders).toBe(0)
  })

  it('is one with another exit in full', () => {
    const result = played([1, 1, 1, 5], { 1: exit(), 2: exit(), 3: exit() })
    expect(fillWords(result)).toEqual([
      BOUGHT,
      '2: sell 1 at 100 taker',
      '3: sell 1 at 100 taker',
      '4: sell 1 at 100 taker',
    ])
  })

  it('never exceeds the part that it was to close', () => {
    const result = played([1, 5, 5, 5], { 1: exit({ fraction: 0.5 }) })
    expect(fillWords(result)).toEqual([BOUGHT, '2: sell 1 at 100 taker', '3: sell 0.5 at 100 taker'])
  })

  it('ends where the rest is less than an order may be', () => {
    const least = { ...MARGIN, minQuantity: 100 as typeof MARGIN.minQuantity }
    expect(fillWords(played([2.95, 5, 5], { 1: exit() }, { instrument: least }))).toEqual([
      BOUGHT,
      '2: sell 2.95 at 100 taker',
    ])
  })
})

describe('a reversal whose exit exceeds the volume of its kline', () => {
  const turn = enterShort({ size: { base: 2 } })

  it('enters on the first kline with volume once the exit is over', () => {
    const result = played([2, 1, 5, 5], { 1: turn })
    expect(fillWords(result)).toEqual([
      BOUGHT,
      '2: sell 2 at 100 taker',
      '3: sell 1 at 100 taker',
      '4: sell 2 at 100 taker',
    ])
    expect(result.openPositions).toMatchObject([{ direction: 'short', quantity: 2000 }])
  })

  it('takes of the kline that ends the exit what that leaves, as every entry at market', () => {
    const result = played([2, 2, 5], { 1: turn })
    expect(fillWords(result)).toEqual([
      ...[BOUGHT, '2: sell 2 at 100 taker'],
      ...['3: sell 1 at 100 taker', '3: sell 1 at 100 taker'],
    ])
    expect(result.workingOrders).toBe(0)
  })

  it('enters no sooner than its latency allows, where a stop-loss closes the position before', () => {
    // Decided at 1:00 and 4:00 and 90 s on the way, they arrive at the opens of rows 3 and 6.
    const rows = [QUIET, QUIET, QUIET, QUIET, [100, 100, 94, 96], ...Array<Row>(3).fill([96, 96, 96, 96])]
    const script = { 0: enterLong({ stopLoss: 95 }), 3: enterShort() }
    const result = runScript(script, rows as Row[], { fills: { latencyMs: 90_000 } })
    expect(fillWords(result)).toEqual([
      '3: buy 1 at 100 taker',
      '4: sell 1 at 95 taker',
      '6: sell 1 at 96 taker',
    ])
  })

  it('does not enter where the strategy decides to stay', () => {
    const result = played([2, 5, 5], { 1: turn, 2: enterLong() })
    expect(fillWords(result)).toEqual([BOUGHT, '2: sell 2 at 100 taker'])
    expect(result.workingOrders).toBe(0)
  })
})

it('an exit is sent again on the next finer kline, where some are given', () => {
  const minutes = Array.from({ length: 15 }, (): Row => QUIET)
  const volume = Float64Array.of(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 1, 0, 1, 10, 10)
  const fives = [0, 1, 2].map(row => ({
    ...{ openTime: row * 300_000, open: 100, high: 100, low: 100, close: 100, volume: 50 },
  }))
  const signals = [THREE, exit()]
  const result = runBacktest({
    klines: columnsFrom(fives),
    instrument: MARGIN,
    interval: '5m',
    strategy: defineStrategy({ name: 'says', onKline: () => signals.shift() }),
    parameters: {},
    balances: new Map([['USDT', amountOf('10000')]]),
    size: { base: 1 },
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, path: 'detail', maxVolumeShare: 1 },
    detail: { klines: { ...klinesOf(minutes), volume }, interval: '1m' },
    sizingReference: 'decision',
    closeAtEnd: 'no',
  })
  expect(fillWords(result)).toEqual([
    ...['5: buy 3 at 100 taker', '10: sell 1 at 100 taker'],
    ...['12: sell 1 at 100 taker', '13: sell 1 at 100 taker'],
  ])
})

it('on recorded ticks the entry of a reversal is sent once its exit is over', () => {
  const four = enterLong({ size: { base: 4 } })
  const books = [
    [60_500, [[99, 9]], [[100, 9]]],
    [120_500, [[100, 2]], [[101, 9]]],
    [121_500, [[99, 5]], [[101, 9]]],
    [122_500, [[98, 5]], [[101, 9]]],
  ] as const
  const trades = [0, 60_100, 120_100, 180_000].map(time => [time, 100] as const)
  const ticks = ticksWithBooks(trades, books)
  expect(playTicks(saying(four, enterShort({ size: { base: 1 } })), ticks)).toEqual([
    'buy 4 at 100 taker, 60500',
    'sell 2 at 100 taker, 120500',
    'sell 2 at 99 taker, 121500',
    'sell 1 at 98 taker, 122500',
  ])
})
