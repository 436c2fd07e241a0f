import { type Interval, intervalMs } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'

/** Klines of an exchange whose beginning is unknown. */
export interface KlineHistory {
  readonly interval: Interval
  /** End of the search (not included), ms UTC. */
  readonly to: number
  /** Klines that open from `from` to `to`, both included, as far as one answer holds them. */
  page(from: number, to: number): Promise<readonly Kline[]>
}

/** Klines that one page asks for. */
const PAGE = 300
/** Exchanges are younger. */
const OLDEST = Date.UTC(2010)

/**
 * Open time of the earliest kline before `to`; `undefined` if the latest page is empty. Looks back in growing
 * steps until a page is empty, then bisects: some thirty calls for years of minutes. A market without a trade
 * in a whole page of time seems to begin after it.
 */
export async function earliestKline({ interval, to, page }: KlineHistory): Promise<number | undefined> {
  const length = PAGE * intervalMs(interval)
  const firstFrom = async (from: number, end: number): Promise<number | undefined> => {
    const times = (await page(from, end - 1)).map(({ openTime }) => openTime)
    const within = times.filter(time => time >= from && time < end)
    return within.length === 0 ? undefined : Math.min(...within)
  }
  let earliest = await firstFrom(to - length, to)
  if (earliest === undefined) return undefined
  let lacking = OLDEST
  for (let back = 2 * length; to - back > OLDEST; back *= 2) {
    const found = await firstFrom(to - back, to - back + length)
    if (found === undefined) {
      lacking = to - back
      break
    }
    earliest = Math.min(earliest, found)
  }
  while (earliest - lacking > length) {
    const middle = Math.floor((lacking + earliest) / 2)
    const found = await firstFrom(middle, Math.min(middle + length, earliest))
    if (found === undefined) lacking = middle
    else earliest = found
  }
  return (await firstFrom(lacking, earliest)) ?? earliest
}
