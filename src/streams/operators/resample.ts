import { defer, filter, map, type OperatorFunction } from 'rxjs'
import { closeTimeOf, type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import { OpenKline } from '../../domain/market-data/open-kline.ts'
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
      let open: Unfinished | undefined
      return source$.pipe(
        map(part => {
          open = withPart(open, part, interval)
          return open !== undefined && isComplete(open, interval) ? open.kline.kline() : undefined
        }),
        filter(kline => kline !== undefined),
        map(kline => closedKline(kline, interval)),
      )
    })
}

/** An unfinished longer kline without a gap. */
interface Unfinished {
  readonly kline: OpenKline
  /** Close time of its latest part, ms UTC. */
  readonly until: number
}

function withPart(
  open: Unfinished | undefined,
  part: ClosedKline,
  interval: Interval,
): Unfinished | undefined {
  const { openTime, closeTime } = part
  const begin = openTimeOf(openTime, interval)
  if (closeTime > closeTimeOf(begin, interval))
    throw new UsageError(`Klines of ${part.interval} are no parts of klines of ${interval}.`)
  if (openTime !== begin && open?.until !== openTime) return undefined
  const kline = openTime === begin || open === undefined ? new OpenKline(begin, false) : open.kline
  kline.add(part)
  return { kline, until: closeTime }
}

function isComplete({ kline, until }: Unfinished, interval: Interval): boolean {
  return until === closeTimeOf(kline.openTime, interval)
}
