import { closeTimeOf, type Interval, openTimeOf } from '../domain/interval.ts'
import type { Kline } from '../domain/kline.ts'
import type { SpotClient } from '../exchange/spot-client.ts'
import { mostKlines, readKlines } from './kline-call.ts'

/** The latest closed klines before `now` (ms UTC), at most `count`, oldest first: page by page backwards. */
export async function recentKlines(
  spot: Pick<SpotClient, 'klines'>,
  symbol: string,
  interval: Interval,
  count: number,
  now: number,
): Promise<readonly Kline[]> {
  let klines: readonly Kline[] = []
  let endTime = openTimeOf(now, interval) - 1
  while (klines.length < count) {
    const limit = Math.min(mostKlines(interval), count - klines.length)
    const page = await readKlines(query => spot.klines(query), { symbol, interval, limit, endTime })
    const closed = page.filter(
      ({ openTime }) => closeTimeOf(openTime, interval) <= now && openTime <= endTime,
    )
    const first = closed[0]
    if (first === undefined) break
    klines = [...closed, ...klines]
    endTime = first.openTime - 1
  }
  return klines.slice(-count)
}
