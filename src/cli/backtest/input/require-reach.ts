import { utcText } from '../../../domain/market-data/civil-date.ts'
import type { Interval } from '../../../domain/market-data/interval.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import { klinesBetween } from '../../../klines/check-interval.ts'
import type { KlineColumns } from '../../../klines/kline-columns.ts'
import type { KlinesWithoutGaps } from '../without-gaps.ts'

/** Klines that must reach over a backtest. */
export interface Reaching {
  /** Whose klines they are, such as `market "hedge" (ETH/USDT)`. */
  readonly of: string
  /** Name of their source. */
  readonly source: string
  /** Open times that they must begin at or before, and end with, ms UTC. */
  readonly first: number
  readonly last: number
  /** Those of the time of the backtest. */
  readonly within: KlineColumns
  /** All of the source. */
  readonly all: KlineColumns
  /** True allows missing klines at the start and the end. */
  readonly allowsLess: boolean
}

/** Throws `UsageError` for klines that do not reach over a backtest, or are all outside of it. */
export function requireReach({ of, source, first, last, within, all, allowsLess }: Reaching): void {
  const [start, end] = [within.openTime[0], within.openTime.at(-1)]
  if (start !== undefined && ((start <= first && end === last) || allowsLess)) return
  const has = `${utcText(all.openTime[0] ?? Number.NaN)} to ${utcText(all.openTime.at(-1) ?? Number.NaN)}`
  throw new UsageError(
    `The klines of the ${of} must reach from ${utcText(first)} to ${utcText(last)}, as the strategy's own do, but ${source} has them from ${has}. Shorten the backtest with --from and --to, or get the others.`,
  )
}

/** Gaps of klines, of which there is one, with what they lack at the start and the end of a backtest. */
export function gapsOver(
  { klines: { openTime }, gaps }: KlinesWithoutGaps,
  { first, last }: Pick<Reaching, 'first' | 'last'>,
  interval: Interval,
): KlinesWithoutGaps['gaps'] {
  const [start, end] = [openTime[0] as number, openTime.at(-1) as number]
  const spans = [klinesBetween(first, start, interval), klinesBetween(end, last, interval)]
  const ends = spans.filter(missing => missing > 0)
  const missing = ends.reduce((sum, count) => sum + count, gaps.missing)
  return { ...gaps, count: gaps.count + ends.length, missing }
}
