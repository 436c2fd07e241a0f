import { describe, expect, it } from 'vitest'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import {
  cancelEntries,
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  protect,
} from '../../../src/strategy/index.ts'
import { SPOT } from '../../engine/engine-session.ts'
import { exitReasons, fillWords, QUIET, type Row, run, runScript } from '../kline-table.ts'
import { orderEnds, scriptedWithEnds } from './order-ends.ts'

describe('an order with a time to live', () => {
  const bid = (klines: number) => enterLong({ order: { type: 'limit', price: 98 }, expiresAfter: { klines } })
  const DIP: Row = [100, 101, 97, 99]

  it('may trade on the last kline that it may see, and never after', () => {
    expect(fillWords(runScript({ 0: bid(2) }, [QUIET, QUIET, DIP]))).toEqual(['2: buy 1 at 98 maker'])
    expect(fillWords(runScript({ 0: bid(1) }, [QUIET, QUIET, DIP]))).toEqual([])
    expect(fillWords(runScript({ 0: bid(1) }, [QUIET, QUIET, [90, 91, 89, 90]]))).toEqual([])
  })

  it('in ms lives until the first close at or after that', () => {
    const bidFor = (ms: number) => ({ ...bid(1), expiresAfter: { ms } })
    expect(fillWords(runScript({ 0: bidFor(60_001) }, [QUIET, QUIET, DIP]))).toEqual(['2: buy 1 at 98 maker'])
    expect(fillWords(runScript({ 0: bidFor(60_000) }, [QUIET, QUIET, DIP]))).toEqual([])
  })

  it('ends expired', () => {
    const strategy = scriptedWithEnds({ 0: bid(1) })
    expect(run(strategy, [QUIET, QUIET, QUIET]).workingOrders).toBe(0)
    expect(orderEnds(strategy)).toEqual(['expired'])
  })

  it('frees what it reserved', () => {
    const script = { 0: { ...bid(1), keep: true }, 2: enterLong({ order: { type: 'limit', price: 97 } }) }
    const account = { instrument: SPOT, quote: '150' }
    expect(fillWords(runScript(script, [QUIET, QUIET, QUIET, [97, 98, 96, 97]], account), SPOT)).toEqual([
      '3: buy 1 at 97 maker',
    ])
  })

  it('leaves its money to the entry of the close at which it ends', () => {
    const size = { equityFraction: 0.9 }
    const kept = enterLong({
      size,
      order: { type: 'limit', price: 90 },
      expiresAfter: { klines: 1 },
      keep: true,
    })
    const script = { 0: { ...kept, tag: 'kept' }, 1: enterLong({ size }) }
    const account = { instrument: SPOT, quote: '1000' }
    expect(fillWords(runScript(script, [QUIET, QUIET, QUIET], account), SPOT)).toEqual([
      '2: buy 9 at 100 taker',
    ])
  })

  it('leaves its part of the position to the exit of the close at which it ends, kline after kline', () => {
    const part = exit({ fraction: 0.6, order: { type: 'limit', price: 110 }, expiresAfter: { klines: 1 } })
    const script = { 0: enterLong(), 1: part, 2: part, 3: part }
    const rows: Row[] = [QUIET, QUIET, QUIET, [100, 111, 99, 100], QUIET]
    expect(fillWords(runScript(script, rows))).toEqual(['1: buy 1 at 100 taker', '3: sell 0.6 at 110 maker'])
  })

  it('leaves all of the position to the exit of that close', () => {
    const whole = exit({ order: { type: 'limit', price: 120 }, expiresAfter: { klines: 1 } })
    const script = {
      0: enterLong(),
      1: whole,
      2: exit({ fraction: 0.7, order: { type: 'limit', price: 105 } }),
    }
    expect(fillWords(runScript(script, [QUIET, QUIET, QUIET, [100, 106, 99, 100]]))).toEqual([
      '1: buy 1 at 100 taker',
      '3: sell 0.7 at 105 maker',
    ])
  })

  it('ends once, also where what its end leads to takes the others back', () => {
    const strategy = defineStrategy({
      name: 'two-bids',
      state: () => ({ row: -1, ends: 0 }),
      onKline: (_kline, { state }) => (++state.row === 0 ? [bid(1), { ...bid(1), keep: true }] : undefined),
      onOrder: ({ status }) => (status === 'expired' ? cancelEntries() : undefined),
    })
    expect(run(strategy, [QUIET, QUIET, QUIET]).workingOrders).toBe(0)
  })
})

describe('entries of a group', () => {
  const up = enterLong({ order: { type: 'stop', stopPrice: 105 }, oco: 'break' })
  const down = enterShort({ order: { type: 'stop', stopPrice: 95 }, oco: 'break' })
  const both = { 0: [up, down] }
  const leaving = { ...both, 2: exit() }
  const OUTSIDE = [108, 108, 108, 108] as const

  it('trade once: the one that is reached cancels the other', () => {
    const result = runScript(both, [QUIET, QUIET, [100, 106, 99, 104], [104, 104, 90, 91]])
    expect(fillWords(result)).toEqual(['2: buy 1 at 105 taker'])
    expect(result.workingOrders).toBe(0)
  })

  /** Both are reached on one kline that closes at `close`; the position is closed at 108. */
  const ambiguous = (close: number, path: 'pessimistic' | 'optimistic' | 'ohlc' | 'olhc'): BacktestResult =>
    runScript(leaving, [QUIET, QUIET, [100, 106, 94, close], OUTSIDE], { fills: { path } })

  it('that one kline reaches both trade the one that stands worse at its close, or better, if one hopes', () => {
    // At 97 the buy at 105 stands at -8 and the sale at 95 at -2; at 103 it is -2 and -8.
    expect(fillWords(ambiguous(97, 'pessimistic'))[0]).toBe('2: buy 1 at 105 taker')
    expect(fillWords(ambiguous(103, 'pessimistic'))[0]).toBe('2: sell 1 at 95 taker')
    expect(fillWords(ambiguous(97, 'optimistic'))[0]).toBe('2: sell 1 at 95 taker')
    expect(fillWords(ambiguous(103, 'optimistic'))[0]).toBe('2: buy 1 at 105 taker')
  })

  it('compete with each other only, where no path tells which of them comes first', () => {
    // The lone stop at 100.5 stands worse at the close of 97 than the bid of the group at 98, but is no rival of that.
    const bid = (price: number) => enterLong({ order: { type: 'limit', price }, oco: 'two' })
    const lone = enterLong({ order: { type: 'stop', stopPrice: 100.5 }, scaleIn: true })
    const signals = [bid(98), bid(90), lone]
    const result = runScript({ 0: signals }, [QUIET, [100, 101, 96, 97]], {
      fills: { stopLossFirst: 'always', maxVolumeShare: 1 },
    })
    expect(fillWords(result)).toEqual(['1: buy 1 at 98 maker'])
  })

  it('trade the one that a known path comes to first', () => {
    expect(fillWords(ambiguous(97, 'ohlc'))[0]).toBe('2: buy 1 at 105 taker')
    expect(fillWords(ambiguous(97, 'olhc'))[0]).toBe('2: sell 1 at 95 taker')
  })

  it.each(['pessimistic', 'optimistic', 'ohlc', 'olhc'] as const)(
    'that one kline reaches both make an ambiguous round trip: %s',
    path => {
      expect(ambiguous(97, path).ambiguousRoundTrips).toEqual([0])
    },
  )

  it('make none where the kline reaches one only, or where the open decides', () => {
    const reached = (row: Row) => runScript(leaving, [QUIET, QUIET, row, OUTSIDE]).ambiguousRoundTrips
    expect(reached([100, 106, 96, 104])).toEqual([])
    expect(reached([106, 107, 94, 104])).toEqual([])
  })

  it('at one open trade the one that was placed first', () => {
    const limit = enterLong({ order: { type: 'limit', price: 107 }, oco: 'break' })
    const result = runScript({ 0: [up, limit] }, [QUIET, [106, 106, 106, 106]])
    expect(fillWords(result)).toEqual(['1: buy 1 at 106 taker'])
  })
})

describe('a take-profit in parts', () => {
  const takeProfit = [
    { at: 105, fraction: 0.5 },
    { at: 110, fraction: 0.5 },
  ]
  const entry = enterLong({ size: { base: 2 }, stopLoss: 95, takeProfit })

  it('scales out, and the stop-loss closes what is left', () => {
    const result = runScript({ 0: entry }, [QUIET, QUIET, [100, 106, 99, 104], [104, 104, 94, 95]])
    expect(fillWords(result)).toEqual([
      '1: buy 2 at 100 taker',
      '2: sell 1 at 105 taker',
      '3: sell 1 at 95 taker',
    ])
    expect(exitReasons(result)).toEqual(['takeProfit', 'stopLoss'])
    expect(result.workingOrders).toBe(0)
  })

  it('takes several parts on one kline', () => {
    const result = runScript({ 0: entry }, [QUIET, QUIET, [100, 111, 99, 104]])
    expect(fillWords(result).slice(1)).toEqual(['2: sell 1 at 105 taker', '2: sell 1 at 110 taker'])
  })
})

describe('a change of protection', () => {
  const entry = enterLong({ stopLoss: 95 })

  it('works from the next kline on, without a moment in which nothing protects', () => {
    const result = (row: Row) =>
      fillWords(runScript({ 0: entry, 1: protect({ stopLoss: 99 }) }, [QUIET, QUIET, row]), undefined).slice(
        1,
      )
    expect(result([100, 101, 98, 100])).toEqual(['2: sell 1 at 99 taker'])
    expect(result([97, 98, 96, 97])).toEqual(['2: sell 1 at 97 taker'])
    expect(result([100, 101, 99.5, 100])).toEqual([])
  })

  it('works at the next open whatever the latency of orders', () => {
    const script = { 0: entry, 2: protect({ stopLoss: 99 }) }
    const rows: Row[] = [QUIET, QUIET, QUIET, [100, 101, 98, 100]]
    expect(fillWords(runScript(script, rows, { fills: { latencyMs: 30_000 } }))).toEqual([
      '2: buy 1 at 100 taker',
      '3: sell 1 at 99 taker',
    ])
  })

  /** Takes half of the profit at 105, and moves the stop-loss to 100 then. */
  const breakEven = defineStrategy({
    name: 'break-even',
    state: () => ({ row: -1 }),
    onKline: (_kline, { state }) =>
      ++state.row === 0
        ? enterLong({ size: { base: 2 }, stopLoss: 95, takeProfit: [{ at: 105, fraction: 0.5 }] })
        : undefined,
    onFill: ({ purpose }) => (purpose === 'takeProfit' ? protect({ stopLoss: 100 }) : undefined),
  })

  it('that follows from a fill inside a kline works on the rest of it: the kline may have come back', () => {
    const rows: Row[] = [QUIET, QUIET, [102, 106, 99, 104]]
    const result = run(breakEven, rows)
    expect(fillWords(result)).toEqual([
      '1: buy 2 at 100 taker',
      '2: sell 1 at 105 taker',
      '2: sell 1 at 100 taker',
    ])
    expect(result.ambiguousRoundTrips).toEqual([1])
  })

  it('that follows from such a fill and is beyond the market already trades at once, where the market is', () => {
    const inProfit = defineStrategy({
      name: 'beyond',
      state: () => ({ row: -1 }),
      onKline: (_kline, { state }) =>
        ++state.row === 0
          ? enterLong({ size: { base: 2 }, stopLoss: 95, takeProfit: [{ at: 105, fraction: 0.5 }] })
          : undefined,
      onFill: ({ purpose }) => (purpose === 'takeProfit' ? protect({ stopLoss: 107 }) : undefined),
    })
    const rows: Row[] = [QUIET, QUIET, [102, 106, 101, 104]]
    const expected = ['1: buy 2 at 100 taker', '2: sell 1 at 105 taker', '2: sell 1 at 105 taker']
    for (const path of ['ohlc', 'olhc'] as const)
      expect(fillWords(run(inProfit, rows, { fills: { path } }))).toEqual(expected)
    // Where a path is looked for, the price goes a tick through the limit before it can turn.
    for (const path of ['pessimistic', 'optimistic'] as const)
      expect(fillWords(run(inProfit, rows, { fills: { path } })).at(-1)).toBe('2: sell 1 at 105.01 taker')
  })

  it('that follows from such a fill does not trade where one hopes that the kline did not come back', () => {
    const rows: Row[] = [QUIET, QUIET, [102, 106, 99, 104]]
    expect(fillWords(run(breakEven, rows, { fills: { path: 'optimistic' } }))).toHaveLength(2)
  })

  it('that follows from a fill follows the path where it is known', () => {
    const words = (path: 'ohlc' | 'olhc') =>
      fillWords(run(breakEven, [QUIET, QUIET, [102, 106, 99, 104]], { fills: { path } }))
    expect(words('ohlc')).toHaveLength(3)
    expect(words('olhc')).toHaveLength(2)
  })
})
