import { defer, filter, map, type OperatorFunction } from 'rxjs'
import { closeTimeOf, type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { type ClosedKline, closedKline } from '../closed-kline.ts'

/**
 * Builds longer klines from shorter ones: each is emitted with its last part, so never before its close, and
 * only with all parts; one that is cut off at the start of the stream, or lacks a part, is dropped. Open and
 * close are those of the first and the last part, high and low the extremes, the volume is the sum. Fails for
 * klines that are not parts of `interval`.
 */
export function resample(interval: Interval): OperatorFunction<ClosedKline, ClosedKline> {
  return source$ =>
    defer(() => {
      let open: OpenKline | undefined
      return source$.pipe(
        map(part => {
          open = withPart(open, part, interval)
          return open !== undefined && isComplete(open, interval) ? open.kline : undefined
        }),
        filter(kline => kline !== undefined),
        map(kline => closedKline(kline, interval)),
      )
    })
}

/** An unfinished longer kline without a gap. */
interface OpenKline {
  readonly kline: Kline
  /** Close time of its latest part, ms UTC. */
  readonly until: number
}

function withPart(open: OpenKline | undefined, part: ClosedKline, interval: Interval): OpenKline | undefined {
  const { openTime, closeTime, high, low, close, volume } = part
  const begin = openTimeOf(openTime, interval)
  if (closeTime > closeTimeOf(begin, interval))
    throw new UsageError(`Klines of ${part.interval} are no parts of klines of ${interval}.`)
  if (openTime === begin) return { kline: plain(part), until: closeTime }
  if (open === undefined || open.until !== openTime) return undefined
  const { kline } = open
  return {
    kline: {
      openTime: kline.openTime,
      open: kline.open,
      high: Math.max(kline.high, high),
      low: Math.min(kline.low, low),
      close,
      volume: kline.volume + volume,
    },
    until: closeTime,
  }
}

function isComplete({ kline, until }: OpenKline, interval: Interval): boolean {
  return until === closeTimeOf(kline.openTime, interval)
}

function plain({ openTime, open, high, low, close, volume }: Kline): Kline {
  return { openTime, open, high, low, close, volume }
}
