import { type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import { steps } from '../../domain/numbers/grid.ts'
import type { GridKline } from '../prices/grid-kline.ts'
import { ApiError } from '../protocol/api-error.ts'
import type { RequestParameters } from '../protocol/request-parameters.ts'

const HOUR = 3_600_000
/** Intervals with boundaries that depend on the time zone; zones here are whole hours away from UTC. */
const ZONED: ReadonlySet<Interval> = new Set<Interval>(['1d', '1w', '1M'])

/** The offset of the optional `timezone` (`UTC-09`, `UTC+8`, `UTC`), ms to add to UTC; throws `ApiError`. */
export function readTimezone(parameters: RequestParameters): number {
  const text = parameters.text('timezone')
  if (text === undefined) return 0
  // A plus that was not encoded arrives as a space.
  const [, sign, hours = '0'] = /^UTC(?:([+ -])(\d{1,2})(?::?00)?)?$/i.exec(text) ?? [undefined, '', '99']
  const offset = sign === '-' ? -Number(hours) : Number(hours)
  if (offset < -12 || offset > 14) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'timezone')
  return offset * HOUR
}

/** True if the klines of an interval differ in another time zone. */
export function isZoned(interval: Interval): boolean {
  return ZONED.has(interval)
}

/** Combines hourly klines (newest first) to klines of days, weeks or months that begin at midnight of a time zone. */
export function* zonedKlines(
  hours: Iterable<GridKline>,
  interval: Interval,
  offsetMs: number,
): Generator<GridKline> {
  let open: GridKline | undefined
  for (const hour of hours) {
    const openTime = openTimeOf(hour.openTime + offsetMs, interval) - offsetMs
    if (open !== undefined && open.openTime !== openTime) yield open
    open = open?.openTime === openTime ? preceded(open, hour) : { ...hour, openTime }
  }
  if (open !== undefined) yield open
}

/** A kline that begins with an earlier one. */
function preceded(kline: GridKline, earlier: GridKline): GridKline {
  return {
    openTime: kline.openTime,
    open: earlier.open,
    high: earlier.high > kline.high ? earlier.high : kline.high,
    low: earlier.low < kline.low ? earlier.low : kline.low,
    close: kline.close,
    volume: steps(earlier.volume + kline.volume),
  }
}
