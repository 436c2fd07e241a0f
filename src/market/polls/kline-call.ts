import { type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import { type Kline, klineProblem } from '../../domain/market-data/kline.ts'

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

/** Most klines in an answer (interface section 8). */
const PAGE = 300
/** Without this parameter, the exchange chooses when days, weeks and months begin. */
const UTC = 'UTC+00'
const ZONED: ReadonlySet<Interval> = new Set<Interval>(['1d', '1w', '1M'])
const HOURS_IN_FOUR = 4

/** Most klines of an interval in an answer. */
export function mostKlines(interval: Interval): number {
  return interval === '4h' ? PAGE / HOURS_IN_FOUR : PAGE
}

/**
 * Reads klines of any interval, in UTC; four-hour klines, which the exchange does not offer, are built from
 * hours.
 */
export async function readKlines(call: KlineCall, query: KlineQuery): Promise<readonly Kline[]> {
  const { interval, limit } = query
  if (ZONED.has(interval)) return call({ ...query, timezone: UTC })
  if (interval !== '4h') return call(query)
  const hours = await call({ ...query, interval: '1h', limit: limit * HOURS_IN_FOUR })
  return composed(hours, hours.length >= limit * HOURS_IN_FOUR)
}

/**
 * Four-hour klines from hours (oldest first). If the answer is cut off, the first one is dropped unless its
 * first hour is there.
 */
function composed(hours: readonly Kline[], isCutOff: boolean): readonly Kline[] {
  const groups = [...Map.groupBy(hours, ({ openTime }) => openTimeOf(openTime, '4h'))]
  return groups.flatMap(([openTime, parts], index) => {
    const [first] = parts
    const last = parts.at(-1)
    if (first === undefined || last === undefined) return []
    const isPossible = parts.every(part => klineProblem(part) === undefined)
    if (index === 0 && isCutOff && first.openTime !== openTime) return []
    return {
      openTime,
      open: first.open,
      high: Math.max(...parts.map(({ high }) => high)),
      // An impossible part makes the whole kline impossible.
      low: isPossible ? Math.min(...parts.map(({ low }) => low)) : Number.NaN,
      close: last.close,
      volume: parts.reduce((total, { volume }) => total + volume, 0),
    }
  })
}
