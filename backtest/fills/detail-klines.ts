import { utcText } from '../../src/domain/market-data/civil-date.ts'
import { closeTimeOf, type Interval, isMadeOf } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { KlineRow } from '../../src/domain/market-data/kline-series.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../src/klines/row-search.ts'

/** Klines of a finer interval, which give the path inside the strategy's klines. */
export interface DetailKlines {
  readonly klines: KlineColumns
  readonly interval: Interval
}

/** The finer klines inside one of `interval`, in order; the kline itself where there is none. */
export function* detailOf(kline: Kline, interval: Interval, { klines }: DetailKlines): Generator<Kline> {
  const { openTime } = klines
  const end = closeTimeOf(kline.openTime, interval)
  let row = firstRowAtOrAfter(openTime, kline.openTime)
  if (!((openTime[row] ?? Number.POSITIVE_INFINITY) < end)) yield kline
  for (; (openTime[row] ?? Number.POSITIVE_INFINITY) < end; row++) yield new KlineRow(klines, row)
}

/** Throws `UsageError` where klines of one interval do not divide those of another. */
export function requireFiner(detail: Interval, interval: Interval): void {
  if (isMadeOf(interval, detail)) return
  throw new UsageError(
    `Klines of ${detail} cannot tell what happens inside those of ${interval}; use a finer interval that divides it, such as 1m.`,
  )
}

/** Throws `UsageError` where finer klines are not finer than `interval`, or do not reach over all of `klines`. */
export function checkDetail(detail: DetailKlines, klines: KlineColumns, interval: Interval): void {
  requireFiner(detail.interval, interval)
  const from = klines.openTime[0]
  const last = klines.openTime.at(-1)
  const detailFrom = detail.klines.openTime[0] ?? Number.POSITIVE_INFINITY
  const detailLast = detail.klines.openTime.at(-1) ?? Number.NEGATIVE_INFINITY
  if (from === undefined || last === undefined) return
  if (detailFrom < closeTimeOf(from, interval) && detailLast >= last) return
  throw new UsageError(
    `The klines of ${detail.interval} must reach over all those of ${interval}, from ${utcText(from)} to ${utcText(closeTimeOf(last, interval))}; get the missing ones${shorterText(klines.openTime, interval, detailFrom, detailLast)}.`,
  )
}

/**
 * Throws `UsageError` where finer klines lie outside those of `interval`, as those of another market do: orders would trade at
 * prices where the market never was.
 */
export function requireInside(detail: DetailKlines, klines: KlineColumns, interval: Interval): void {
  const outside = rowsOutside(detail.klines, klines, interval)
  const [first] = outside
  if (first === undefined) return
  const { openTime, low, high, length } = detail.klines
  const [finer, longer] = first
  throw new UsageError(
    `${outside.length} of ${length} klines of ${detail.interval} lie outside those of ${interval}, the first at ${utcText(openTime[finer] as number)} from ${low[finer]} to ${high[finer]}, where that of ${interval} goes from ${klines.low[longer]} to ${klines.high[longer]}; give those of the same market and the same source.`,
  )
}

/** Rows of finer klines that lie outside the longer kline around them, with its row. */
function rowsOutside(finer: KlineColumns, longer: KlineColumns, interval: Interval) {
  const outside: (readonly [finer: number, longer: number])[] = []
  longer.openTime.forEach((openTime, index) => {
    // The rows exist in every column.
    const [low, high] = [longer.low[index] as number, longer.high[index] as number]
    const fillsGap = low === high && longer.volume[index] === 0
    const end = fillsGap ? openTime : closeTimeOf(openTime, interval)
    let row = firstRowAtOrAfter(finer.openTime, openTime)
    for (; (finer.openTime[row] ?? Number.POSITIVE_INFINITY) < end; row++)
      if ((finer.low[row] as number) < low || (finer.high[row] as number) > high) outside.push([row, index])
  })
  return outside
}

/** Advice to play only the klines that finer ones reach over, from `first` to `last` (open times, ms UTC), if there are any. */
function shorterText(openTime: Float64Array, interval: Interval, first: number, last: number): string {
  const covered = openTime.filter(time => first < closeTimeOf(time, interval) && last >= time)
  const [from, until] = [covered[0], covered.at(-1)]
  if (from === undefined || until === undefined) return ''
  return `, or shorten the backtest: --from ${utcText(from)} --to ${utcText(closeTimeOf(until, interval))}`
}
