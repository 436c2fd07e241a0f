import { describe, expect, it } from 'vitest'
import { shownFunding } from '../../../backtest/futures/funding-rates.ts'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import type { JudgedGap } from '../../../backtest/ticks/tick-data.ts'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import type { MarkColumns } from '../../../src/klines/record/recorded-marks.ts'
import { enterLong, exit } from '../../../src/strategy/index.ts'
import { CONTRACT } from '../futures/contract-run.ts'
import { klinesOf, QUIET } from '../kline-table.ts'
import { type BookRow, saying, tickBacktest, ticksWithBooks } from './tick-run.ts'

/** Time (ms), mark price and funding rate. */
type MarkRow = readonly [time: number, price: number, rate?: number]

function marksOf(rows: readonly MarkRow[]): MarkColumns {
  const column = (of: (row: MarkRow) => number) => Float64Array.from(rows, of)
  const time = column(([at]) => at)
  return { length: rows.length, time, price: column(([, of]) => of), rate: column(([, , of = 0]) => of) }
}

/** Four quiet minutes of a contract without public trades, whose book is 99 to 101 all the time, in contracts of 0.5. */
function onContract(
  backtest: Partial<BacktestOptions>,
  {
    marks,
    books = [],
    gaps = [],
  }: {
    readonly marks?: readonly MarkRow[]
    readonly books?: readonly BookRow[]
    readonly gaps?: readonly JudgedGap[]
  },
): BacktestResult {
  const quoted = [60_100, 120_100, 180_100].map((time): BookRow => [time, [[99, 50]], [[101, 50]]])
  const shown = [...quoted, ...books].toSorted(([left], [right]) => left - right)
  const { books: columns } = ticksWithBooks([], shown)
  const arrival = {
    ms: Float64Array.from(gaps, ({ until }) => until + 1),
    ns: new Float64Array(gaps.length),
  }
  const ticks = {
    ...{ ...ticksWithBooks([], []), gaps: { arrival, gaps } },
    books: columns && { ...columns, inBase: false },
    ...(marks !== undefined && { marks: marksOf(marks) }),
  }
  const options = tickBacktest(
    saying(enterLong({ size: { base: 1 } })),
    ticksWithBooks(
      [
        [0, 1],
        [200_000, 1],
      ],
      [],
    ),
  )
  return runBacktest({
    ...{ ...options, instrument: CONTRACT, ticks },
    klines: klinesOf([QUIET, QUIET, QUIET, QUIET]),
    ...backtest,
  })
}

describe('a contract on recorded ticks', () => {
  it('counts at its recorded mark price', () => {
    // 1 BTC bought at 101; the minutes close at marks of 100, 105 and 98.
    const result = onContract(
      {},
      {
        marks: [
          [0, 100],
          [110_000, 105],
          [170_000, 98],
        ],
      },
    )
    expect(Array.from(result.equity)).toEqual([10_000, 10_004, 9_997, 9_997])
  })

  it('counts at its klines, and is liquidated at the middle of its book, where no mark price was recorded', () => {
    const result = onContract({}, { books: [[130_000, [[59, 50]], [[61, 50]]]] })
    expect(result.liquidations.map(({ time }) => time)).toEqual([130_000])
  })

  it('takes its exits with it when it is liquidated: the book goes through them in vain', () => {
    const books: BookRow[] = [
      [130_000, [[59, 50]], [[61, 50]]],
      [150_000, [[111, 50]], [[112, 50]]],
    ]
    const result = onContract(
      { strategy: saying(enterLong(), exit({ order: { type: 'limit', price: 110 } })) },
      { books },
    )
    expect(result.liquidations.map(({ time }) => time)).toEqual([130_000])
    expect(result.fills.map(({ side, rule, time }) => [side, rule, time])).toEqual([
      ['buy', 'walked', 60_100],
      ['sell', 'liquidated', 130_000],
    ])
    expect(result.workingOrders).toBe(0)
  })

  it('is liquidated when the recorded mark price gets there, whatever its book shows', () => {
    const result = onContract(
      {},
      {
        marks: [
          [0, 100],
          [150_000, 60],
        ],
      },
    )
    expect(result.liquidations.map(({ time }) => time)).toEqual([150_000])
  })

  it('pays funding at the mark price known at the settlement', () => {
    const funding = {
      type: 'list',
      length: 1,
      time: Float64Array.of(120_000),
      rate: Float64Array.of(0.01),
    } as const
    const result = onContract(
      { futures: { funding } },
      {
        marks: [
          [0, 100],
          [115_000, 104],
          [120_050, 90],
        ],
      },
    )
    // 1 BTC at 104, 1%.
    expect(result.funding.map(({ amount }) => amountToText(amount))).toEqual(['1.04'])
  })

  it('fills what rests by a minute that went through it', () => {
    const minute = { openTime: 120_000, open: 100, high: 100, low: 97, close: 100, volume: 3 }
    const gap = { from: 120_000, until: 179_999, reason: 'No trades.', minutes: [minute] }
    const strategy = saying(enterLong({ size: { base: 4 }, order: { type: 'limit', price: 98 } }))
    const { fills } = onContract({ strategy }, { gaps: [gap] })
    // 3 contracts of 8.
    expect(fills.map(({ rule, quantity, time }) => ({ rule, quantity, time }))).toEqual([
      { rule: 'gapMinute', quantity: 3, time: 180_000 },
    ])
  })

  it('sends a stop at the middle of its book', () => {
    const strategy = saying(enterLong(), exit({ order: { type: 'stop', stopPrice: 96 } }))
    const { fills } = onContract(
      { strategy },
      {
        books: [
          [130_000, [[94, 50]], [[96, 50]]],
          [130_500, [[94, 50]], [[96, 50]]],
        ],
      },
    )
    expect(fills.map(({ side, time }) => [side, time])).toEqual([
      ['buy', 60_100],
      ['sell', 130_500],
    ])
  })
})

describe('funding that a host showed', () => {
  const HOURS = 3_600_000

  it('is settled every eight hours at the rate shown last before', () => {
    const rates = shownFunding(
      marksOf([
        [1, 100, 0.1],
        [8 * HOURS - 1, 100, 0.2],
        [8 * HOURS, 100, 0.3],
        [17 * HOURS, 100, 0.4],
      ]),
    )
    expect(rates).toEqual({
      ...{ type: 'list', length: 2 },
      time: Float64Array.of(8 * HOURS, 16 * HOURS),
      rate: Float64Array.of(0.2, 0.3),
    })
  })
})
