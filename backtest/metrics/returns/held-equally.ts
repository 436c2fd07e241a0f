import { closeTimeOf } from '../../../src/domain/market-data/interval.ts'
import type { ReplayedMarket } from '../market.ts'
import type { EquityCurve } from './equity-curve.ts'

/**
 * Buy and hold of several instruments: an equal part of 1 for each, bought at the open of its first kline
 * (cash until then) and held to the end, without costs; valued at the given times, at the latest close of
 * each. If an instrument has klines of several intervals, those that begin first count.
 */
export function heldEqually(
  markets: readonly ReplayedMarket[],
  startTime: number,
  time: ArrayLike<number>,
): EquityCurve {
  const held = firstOfEach(markets)
  const equity = new Float64Array(time.length)
  for (const { klines, interval } of held) {
    const first = klines.open[0] ?? Number.NaN
    let next = 0
    let worth = 1
    for (let row = 0; row < time.length; row++) {
      const now = time[row] as number // inside the bounds, as below
      while (next < klines.length && closeTimeOf(klines.openTime[next] as number, interval) <= now) {
        worth = (klines.close[next++] as number) / first
      }
      equity[row] = (equity[row] as number) + worth / held.length
    }
  }
  return { startTime, startEquity: 1, time, equity }
}

function firstOfEach(markets: readonly ReplayedMarket[]): readonly ReplayedMarket[] {
  const first = new Map<string, ReplayedMarket>()
  const startOf = ({ klines }: ReplayedMarket) => klines.openTime[0] ?? Number.POSITIVE_INFINITY
  for (const market of markets) {
    const known = first.get(market.instrument.symbol)
    if (known === undefined || startOf(market) < startOf(known)) first.set(market.instrument.symbol, market)
  }
  return [...first.values()]
}
