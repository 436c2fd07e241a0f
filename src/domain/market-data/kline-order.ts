import { type Interval, intervalMs } from './interval.ts'

/** Close and stream of a kline. */
export interface KlineClose {
  /** First ms (UTC) after the kline. */
  readonly closeTime: number
  readonly interval: Interval
  /** Index of its stream among all declared streams, from 0. */
  readonly rank: number
}

/**
 * Order of klines of several symbols and intervals, live and in a backtest: by close time; at equal close
 * time the longer interval first, so that a decision on a short kline already knows the long one that closed
 * with it; then by declaration of the streams. Negative if `left` comes first.
 */
export function compareKlineCloses(left: KlineClose, right: KlineClose): number {
  return (
    left.closeTime - right.closeTime ||
    intervalMs(right.interval) - intervalMs(left.interval) ||
    left.rank - right.rank
  )
}
