import type { Interval } from '../domain/market-data/interval.ts'
import { fillGaps } from '../klines/fill-gaps.ts'
import type { KlineColumns } from '../klines/kline-columns.ts'
import { resampleKlines } from '../klines/resample/resample-klines.ts'
import type { GapPolicy } from './backtest/gap-policy.ts'

/** Intervals of the given and of the longer klines, and the policy for given ones that are missing. */
export interface LongerKlinesOptions {
  readonly from: Interval
  readonly to: Interval
  readonly policy: GapPolicy
}

/**
 * Builds longer klines as the gap policy of their parts says: of what there is where gaps are skipped, and with
 * flat parts where they are filled. Otherwise one that lacks a part is left out.
 */
export function longerKlines(klines: KlineColumns, { from, to, policy }: LongerKlinesOptions): KlineColumns {
  const parts = policy === 'fill' ? fillGaps(klines, from) : klines
  return resampleKlines(parts, { from, to, incomplete: policy === 'skip' ? 'keep' : 'drop' }).columns
}
