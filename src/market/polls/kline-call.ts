import { type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import { type Kline, klineProblem } from '../../domain/market-data/kline.ts'

/** Which klines to read; times in ms UTC, both included. */
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
/** Days, weeks and months begin where the exchange likes, unless it is told. */
const UTC = 'UTC+00'
const ZONED: ReadonlySet<Interval> = new Set<Interval>(['1d', '1w', '1M'])
const HOURS_IN_FOUR = 4

/** Most klines of an interval in an answer. */
export function mostKlines(interval: Interval): number {
  return interval === '4h' ? PAGE / HOURS_IN_FOUR : PAGE
}

/** Reads klines of any interval, by UTC: four hours, which the exchange does not offer, are made of hours. */
export async function readKlines(call: KlineCall, query: KlineQuery): Promise<readonly Kline[]> {
  const { interval, limit } = query
  if (ZONED.has(interval)) return call({ ...query, timezone: UTC })
  if (interval !== '4h') return call(query)
  const hours = await call({ ...query, interval: '1h', limit: limit * HOURS_IN_FOUR })
  return composed(hours, hours.length >= limit * HOURS_IN_FOUR)
}

/** Four-hour klines of hours (oldest first); where the answer is cut off, so is the first of them, unless it begins with its first hour. */
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
      // A part that no market can have printed makes the whole impossible.
      low: isPossible ? Math.min(...parts.map(({ low }) => low)) : Number.NaN,
      close: last.close,
      volume: parts.reduce((total, { volume }) => total + volume, 0),
    }
  })
}
