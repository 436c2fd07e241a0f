import { utcText } from '../../src/domain/market-data/civil-date.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../src/klines/row-search.ts'
import { sliceKlines, sliceRows, type TimeSpan } from '../../src/klines/slice-klines.ts'
import type { BacktestOptions } from '../run/backtest-options.ts'

/** Rows of a span: from `first` (included) to `end` (excluded). */
export interface SpanRows {
  readonly first: number
  readonly end: number
}

/**
 * Rows that open within a span (ms UTC); throws `UsageError` where there are none, and for recorded trades, of which no part
 * can be played by itself.
 */
export function rowsOfSpan({ klines, ticks }: BacktestOptions, span: TimeSpan): SpanRows {
  if (ticks !== undefined)
    throw new UsageError('A span of recorded trades cannot be played by itself; give klines.')
  const first = span.from === undefined ? 0 : firstRowAtOrAfter(klines.openTime, span.from)
  const end = span.to === undefined ? klines.length : firstRowAtOrAfter(klines.openTime, span.to)
  if (first < end) return { first, end }
  throw new UsageError(emptySpan(span, klines))
}

function emptySpan({ from, to }: TimeSpan, { openTime }: KlineColumns): string {
  const [first = Number.NaN, last = Number.NaN] = [openTime[0], openTime.at(-1)]
  const wanted = `${from === undefined ? '' : ` from ${utcText(from)}`}${to === undefined ? '' : ` before ${utcText(to)}`}`
  return `No kline opens${wanted}; there are those from ${utcText(first)} to ${utcText(last)}.`
}

/** The backtest of the rows from `start` (included) to `end` (excluded), and of the same times in the markets of its roles. */
export function backtestOfRows(backtest: BacktestOptions, start: number, end: number): BacktestOptions {
  const { klines, roles } = backtest
  const from = klines.openTime[start] as number // a row
  const to = klines.openTime[end] ?? Number.POSITIVE_INFINITY
  return {
    ...backtest,
    klines: sliceRows(klines, start, end),
    ...(roles !== undefined && {
      roles: Object.fromEntries(
        Object.entries(roles).map(([role, market]) => [
          role,
          { ...market, klines: sliceKlines(market.klines, { from, to }) },
        ]),
      ),
    }),
  }
}
