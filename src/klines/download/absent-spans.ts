import { closeTimeOf, type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import { klinesBetween } from '../check-interval.ts'

/**
 * Klines to fetch: those that open from `from` (included) to `to` (excluded), ms UTC; both are open times.
 */
export interface AbsentSpan {
  readonly from: number
  readonly to: number
}

/**
 * Spans missing between two open times, given the ascending open times of the stored klines. Gaps of a page
 * or more come first, oldest first, so that repeatedly interrupted downloads make progress; then small ones,
 * which the exchange may lack too, joined if they lie within one page. A span at the end begins with the last
 * stored kline, which may have been read before the exchange completed it.
 */
export function absentSpans(
  openTimes: Float64Array,
  { from, to }: AbsentSpan,
  interval: Interval,
  page: number,
): readonly AbsentSpan[] {
  const large: AbsentSpan[] = []
  const small: AbsentSpan[] = []
  for (const hole of holes(openTimes, { from, to }, interval)) {
    if (hole.to === to || klinesBetween(hole.from, hole.to, interval) >= page) large.push(hole)
    else joinWithinPage(small, hole, interval, page)
  }
  return [...large, ...small]
}

/** Open time of the first kline that opens at `time` or later. */
export function firstOpenTime(time: number, interval: Interval): number {
  const open = openTimeOf(time, interval)
  return open === time ? time : closeTimeOf(open, interval)
}

function* holes(
  openTimes: Float64Array,
  { from, to }: AbsentSpan,
  interval: Interval,
): Generator<AbsentSpan> {
  let next = from
  for (const openTime of openTimes) {
    if (openTime > next) yield { from: next, to: openTime }
    next = closeTimeOf(openTime, interval)
  }
  if (next < to) yield { from: openTimes.at(-1) ?? from, to }
}

function joinWithinPage(spans: AbsentSpan[], hole: AbsentSpan, interval: Interval, page: number): void {
  const last = spans.at(-1)
  if (last !== undefined && klinesBetween(last.from, hole.to, interval) <= page) {
    spans[spans.length - 1] = { from: last.from, to: hole.to }
  } else spans.push(hole)
}
