import { closeTimeOf, openTimeOf } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { type KlineCall, type MadeKlines, mostKlines, readKlines } from '../polls/kline-call.ts'

/**
 * The latest closed klines before `now` (ms UTC), at most `count`, oldest first: read page by page backwards,
 * as far as the exchange allows.
 */
export async function recentKlines(
  call: KlineCall,
  { symbol, ...made }: MadeKlines & { readonly symbol: string },
  count: number,
  now: number,
): Promise<readonly Kline[]> {
  const { interval } = made
  let klines: readonly Kline[] = []
  let endTime = openTimeOf(now, interval) - 1
  while (klines.length < count) {
    const limit = Math.min(mostKlines(made), count - klines.length)
    const page = await readKlines(call, { ...made, symbol, limit, endTime })
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
