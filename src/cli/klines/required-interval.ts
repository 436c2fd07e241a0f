import { type Interval, intervalOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** Interval of klines; throws `UsageError` if it is missing or unknown. */
export function requiredInterval(interval: string | undefined): Interval {
  if (interval !== undefined) return intervalOf(interval)
  throw new UsageError('Klines need an interval; give it with --interval, such as --interval 1m.')
}
