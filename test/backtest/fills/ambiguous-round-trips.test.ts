import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { exitReasons, fillWords, QUIET, type Row, runScript } from '../kline-table.ts'

/** A trailing stop 4 below the best price: from 100 up to 103 and back to 98 it trades or not, as the path is. */
const trailing = enterLong({ trailingStop: { distance: 4 } })
const TRAILED: Row = [100, 103, 98, 102]

it('a round trip whose own fill depends on the path is ambiguous beside entries of others that do', () => {
  const rows: Row[] = [QUIET, TRAILED, QUIET, [100, 111, 94, 105], QUIET]
  const bracket = enterLong({ stopLoss: 95, takeProfit: 110 })
  const result = runScript({ 0: trailing, 1: exit(), 2: bracket }, rows, { fills: { path: 'optimistic' } })
  expect(fillWords(result)).toEqual([
    '1: buy 1 at 100 taker',
    '2: sell 1 at 100 taker',
    '3: buy 1 at 100 taker',
    '3: sell 1 at 110 taker',
  ])
  expect(result.ambiguousRoundTrips).toEqual([0, 1])
})

it('of two entries at one price only the round trip of the one that depends on the path is ambiguous', () => {
  const script = { 0: enterLong(), 1: enterLong({ scaleIn: true, trailingStop: { distance: 4 } }), 3: exit() }
  const result = runScript(script, [QUIET, QUIET, QUIET, TRAILED, QUIET], { fills: { path: 'optimistic' } })
  expect(fillWords(result)).toEqual([
    '1: buy 1 at 100 taker',
    '2: buy 1 at 100 taker',
    '4: sell 2 at 100 taker',
  ])
  expect(result.roundTrips.map(({ entryTime }) => entryTime)).toEqual([60_000, 120_000])
  expect(result.ambiguousRoundTrips).toEqual([1])
})

describe('where an entry fills inside its kline, a trailing stop may have seen the best price of that or not:', () => {
  // Bought at 98, below which the price was at 97. It closes at 103, and was at 104 before or after that: the stop, 8 behind, is at
  // 95 or 96.
  const entry = enterLong({ order: { type: 'limit', price: 98 }, trailingStop: { distance: 8 } })
  const entered: Row = [100, 104, 97, 103]
  const ambiguous = (rows: readonly Row[], settings: Partial<FillSettings> = {}) => {
    const { ambiguousRoundTrips, ambiguousOpenPositions } = runScript(
      { 0: entry },
      [QUIET, entered, ...rows],
      {
        fills: settings,
      },
    )
    return [...ambiguousRoundTrips.map(() => 'closed'), ...ambiguousOpenPositions.map(() => 'open')]
  }
  const PATHLESS = { stopLossFirst: 'always' } as const
  /** As a short position sees them. */
  const mirrored = ([open, high, low, close]: Row): Row => [200 - open, 200 - low, 200 - high, 200 - close]

  it.each<[string, readonly Row[], readonly string[]]>([
    [
      'stopped at 95 two klines later, or at 96 before',
      [
        [103, 103, 96, 98],
        [98, 98, 95, 95],
      ],
      ['closed'],
    ],
    ['stopped at 95 or at 96 on one kline', [[103, 103, 94, 94]], ['closed']],
    ['still open, or stopped at 96', [[103, 103, 95.5, 98]], ['open']],
    [
      'stopped by an open between the two, or later',
      [
        [95.5, 96, 95.2, 96],
        [96, 96, 90, 91],
      ],
      ['closed'],
    ],
    ['stopped by an open below both', [[94, 94, 93, 94]], []],
    [
      'carried to 105 by either before it is stopped',
      [
        [103, 105, 103, 105],
        [105, 105, 96, 97],
      ],
      [],
    ],
  ])('%s', (_name, rows, expected) => {
    expect(ambiguous(rows)).toEqual(expected)
    for (const fills of [{ path: 'optimistic' }, { path: 'ohlc' }, { path: 'olhc' }, PATHLESS] as const)
      expect(ambiguous(rows, fills)).toHaveLength(expected.length)
    const short = enterShort({ order: { type: 'limit', price: 102 }, trailingStop: { distance: 8 } })
    const result = runScript({ 0: short }, [QUIET, entered, ...rows].map(mirrored))
    expect(result.ambiguousRoundTrips.length + result.ambiguousOpenPositions.length).toBe(expected.length)
  })
})

it.each<[string, Signal, Row]>([
  ['a bid', enterLong({ order: { type: 'limit', price: 98 }, stopLoss: 95 }), [100, 100, 94, 97]],
  [
    'a buy if touched',
    enterLong({ order: { type: 'ifTouched', triggerPrice: 98 }, stopLoss: 95 }),
    [100, 100, 94, 97],
  ],
  [
    'a sale if touched',
    enterShort({ order: { type: 'ifTouched', triggerPrice: 103 }, stopLoss: 106 }),
    [100, 107, 100, 104],
  ],
])('%s whose stop-loss lies on the way on is stopped by every path', (_name, entry, row) => {
  const result = runScript({ 0: entry }, [QUIET, row])
  expect(exitReasons(result)).toEqual(['stopLoss'])
  expect(result.ambiguousRoundTrips).toEqual([])
})

describe('an exit at a stop-limit that the price comes back to is ambiguous', () => {
  const sellAt = (stopPrice: number, price: number, fraction: number) =>
    exit({ fraction, order: { type: 'stopLimit', stopPrice, price } })

  it.each<[string, Signal, Signal, Row, readonly string[]]>([
    // Down to 98 and up through 99 before 105, or up to 105 at once.
    [
      'beside a take-profit that the price may reach first',
      enterLong({ takeProfit: 105 }),
      sellAt(98, 99, 1),
      [100, 106, 97, 103],
      ['2: sell 1 at 99 maker', '2: sell 1 at 105 taker'],
    ],
    // Down to 94 at once, or between 97 and 95 back through 98.
    [
      'beside a stop-loss that the price may reach before it comes back',
      enterLong({ size: { base: 2 }, stopLoss: 95 }),
      sellAt(97, 98, 0.5),
      [100, 101, 94, 99],
      ['2: sell 2 at 95 taker', '2: sell 1 at 98 maker'],
    ],
  ])('%s', (_name, entry, leaving, row, expected) => {
    const script = { 0: entry, 1: leaving }
    for (const [index, path] of (['pessimistic', 'optimistic'] as const).entries()) {
      const result = runScript(script, [QUIET, QUIET, row], { fills: { path } })
      expect(fillWords(result)[1]).toBe(expected[index])
      expect(result.ambiguousRoundTrips).toContain(0)
    }
  })

  it('where the price may have come back on a kline that leaves it open', () => {
    // Down to 97, and up through 98 after that or before.
    const script = { 0: enterLong(), 1: sellAt(97, 98, 1) }
    const rows: Row[] = [QUIET, QUIET, [100, 101, 96, 97]]
    expect(runScript(script, rows).ambiguousOpenPositions).toHaveLength(1)
    expect(runScript(script, [...rows, [97, 99, 97, 99]]).ambiguousRoundTrips).toEqual([0])
  })

  it('but not where it has rested at its limit since the open', () => {
    // The open is past the limit of 98, to which every path comes back.
    const script = { 0: enterLong({ takeProfit: 105 }), 1: sellAt(99, 98, 1) }
    const result = runScript(script, [QUIET, QUIET, [97, 106, 96, 103]])
    expect(fillWords(result)[1]).toBe('2: sell 1 at 98 maker')
    expect(result.ambiguousRoundTrips).toEqual([])
  })
})

describe('with marketEntries protection that does not work yet where its kline reaches it is ambiguous, however the entry came:', () => {
  const fills = { entryKlineProtection: 'marketEntries' } as const
  const down: Row = [100, 101, 94, 96]

  it.each<[string, Signal, Row, number]>([
    ['at a limit', enterLong({ order: { type: 'limit', price: 98 }, stopLoss: 95 }), down, 1],
    ['at a limit that takes', enterLong({ order: { type: 'limit', price: 101 }, stopLoss: 95 }), down, 1],
    [
      'at a stop that the open has passed',
      enterLong({ order: { type: 'stop', stopPrice: 102 }, stopLoss: 100 }),
      [103, 106, 99, 105],
      1,
    ],
    [
      'at a stop that the open has passed, to a take-profit',
      enterLong({ order: { type: 'stop', stopPrice: 102 }, stopLoss: 100, takeProfit: 105 }),
      [103, 106, 99, 104],
      1,
    ],
    [
      'at a limit that takes, whose stop-loss the kline stays away from',
      enterLong({ order: { type: 'limit', price: 101 }, stopLoss: 93 }),
      down,
      0,
    ],
  ])('%s', (_name, entry, row, count) => {
    const result = runScript({ 0: entry }, [QUIET, row], { fills })
    expect(result.ambiguousOpenPositions).toHaveLength(count)
  })
})
