import { type Interval, intervalMs, openTimeOf } from '../../domain/market-data/interval.ts'
import { type Kline, klineProblem } from '../../domain/market-data/kline.ts'
import { OpenKline } from '../../domain/market-data/open-kline.ts'
import type { OfferedInterval } from '../../exchange/spot/spot-interval.ts'

/** Filter of klines; times in ms UTC, both included. */
export interface KlineQuery {
  readonly symbol: string
  readonly interval: Interval
  readonly limit: number
  readonly startTime?: number
  readonly endTime?: number
}

/** Reads klines of one market, oldest first; the newest may still be growing. */
export type KlineCall = (query: KlineQuery & { readonly timezone?: string }) => Promise<readonly Kline[]>

/** Klines, and those of the exchange that they are made of. */
export interface MadeKlines {
  readonly interval: Interval
  /** Interval that is asked for: `interval` itself, or one that divides it. */
  readonly part: OfferedInterval
}

const LONGEST_MONTH_MS = 31 * 86_400_000
/** Most klines in an answer (interface section 8). */
const PAGE = 300
/** Without this parameter, the exchange chooses when days, weeks and months begin. */
const UTC = 'UTC+00'
const ZONED: ReadonlySet<Interval> = new Set<Interval>(['1d', '1w', '1M'])

/** Most klines of an interval in an answer. */
export function mostKlines(made: MadeKlines): number {
  return Math.floor(PAGE / partsIn(made))
}

/** Reads klines of any interval, in UTC; those that the exchange does not have are built from shorter ones. */
export async function readKlines(
  call: KlineCall,
  { part, ...query }: KlineQuery & MadeKlines,
): Promise<readonly Kline[]> {
  const { interval } = query
  const limit = query.limit * partsIn({ interval, part })
  const parts = await call({ ...query, interval: part, limit, ...(ZONED.has(part) && { timezone: UTC }) })
  return part === interval ? parts : composed(parts, interval, parts.length >= limit)
}

/** Largest number of parts in one kline; 1 if the exchange has the interval itself. */
function partsIn({ interval, part }: MadeKlines): number {
  if (part === interval) return 1
  return (interval === '1M' ? LONGEST_MONTH_MS : intervalMs(interval)) / intervalMs(part)
}

/**
 * Klines of an interval from parts (oldest first). If the answer is cut off, the first one is dropped unless its
 * first part is there.
 */
function composed(klines: readonly Kline[], interval: Interval, isCutOff: boolean): readonly Kline[] {
  const groups = [...Map.groupBy(klines, ({ openTime }) => openTimeOf(openTime, interval))]
  return groups.flatMap(([openTime, parts], index) => {
    if (index === 0 && isCutOff && parts[0]?.openTime !== openTime) return []
    // The sums of a resampled backtest, to the last bit.
    const whole = new OpenKline(openTime, false)
    for (const part of parts) whole.add(part)
    const isPossible = parts.every(part => klineProblem(part) === undefined)
    // An impossible part makes the whole kline impossible.
    return { ...whole.kline(), ...(!isPossible && { low: Number.NaN }) }
  })
}
