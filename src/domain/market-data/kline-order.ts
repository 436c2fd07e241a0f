import { type Interval, intervalMs } from './interval.ts'

/** When a kline becomes known, and of which stream it is. */
export interface KlineClose {
  /** First ms (UTC) after the kline. */
  readonly closeTime: number
  readonly interval: Interval
  /** Position of its stream among all that are declared, from 0. */
  readonly rank: number
}

/**
 * The order in which klines of several symbols and intervals are shown, live and in a backtest: by close time; of those
 * that close together the longer interval first, so that whoever decides on a short kline already knows the long one that
 * closed with it; then as the streams were declared. Negative where `left` comes first.
 */
export function compareKlineCloses(left: KlineClose, right: KlineClose): number {
  return (
    left.closeTime - right.closeTime ||
    intervalMs(right.interval) - intervalMs(left.interval) ||
    left.rank - right.rank
  )
}
