import { utcText } from '../../domain/market-data/civil-date.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { checkInterval, gapsOf } from '../../klines/check-interval.ts'
import { fillGaps } from '../../klines/fill-gaps.ts'
import type { KlineColumns } from '../../klines/kline-columns.ts'
import type { GapPolicy } from './gap-policy.ts'

/** Klines for a backtest, and their gaps. */
export interface KlinesWithoutGaps {
  readonly klines: KlineColumns
  readonly gaps: {
    readonly policy: GapPolicy
    readonly count: number
    /** Number of missing klines in all gaps. */
    readonly missing: number
  }
}

/** Number of gaps that an error lists. */
const NAMED = 10

/**
 * Applies the gap policy; throws `UsageError` with a list of the gaps if they are not allowed, or for klines
 * of another interval.
 */
export function withoutGaps(
  klines: KlineColumns,
  {
    interval,
    policy,
    name,
  }: { readonly interval: Interval; readonly policy: GapPolicy; readonly name: string },
): KlinesWithoutGaps {
  const { count, missing } = checked(klines, interval, name)
  const gaps = { policy, count, missing }
  if (count === 0 || policy === 'skip') return { klines, gaps }
  if (policy === 'fill') return { klines: fillGaps(klines, interval), gaps }
  throw new UsageError(
    `${name} lacks ${klineCount(missing)} in ${count === 1 ? '1 gap' : `${count} gaps`}:\n${listOf(klines, interval)}\nGet them, or say --gaps skip (the strategy does not see that time) or --gaps fill (it sees flat klines without volume).`,
  )
}

function checked(klines: KlineColumns, interval: Interval, name: string) {
  try {
    return checkInterval(klines, interval)
  } catch (cause) {
    throw cause instanceof UsageError ? new UsageError(`${name}: ${cause.message}`, cause) : cause
  }
}

function listOf(klines: KlineColumns, interval: Interval): string {
  const gaps = gapsOf(klines, interval)
  const lines = gaps
    .slice(0, NAMED)
    .map(({ from, missing }) => `  ${klineCount(missing)} from ${utcText(from)}`)
  return [...lines, ...(gaps.length > NAMED ? [`  and ${gaps.length - NAMED} more gaps`] : [])].join('\n')
}

function klineCount(count: number): string {
  return count === 1 ? '1 kline' : `${count} klines`
}
