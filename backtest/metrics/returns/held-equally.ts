import { closeTimeOf, intervalMs } from '../../../src/domain/market-data/interval.ts'
import type { ReplayedMarket } from '../market.ts'
import type { EquityCurve } from './equity-curve.ts'

/**
 * Buy and hold of several instruments: an equal part of 1 for each, bought at the open of its first kline
 * (cash until then) and held to the end, without costs; valued at the given times, at the latest close of
 * each, on whichever of its intervals that is.
 */
export function heldEqually(
  markets: readonly ReplayedMarket[],
  startTime: number,
  time: ArrayLike<number>,
): EquityCurve {
  const bySymbol = Map.groupBy(markets, ({ instrument }) => instrument.symbol)
  const equity = new Float64Array(time.length)
  for (const ofOne of bySymbol.values()) {
    const worth = worthOf(ofOne)
    for (let row = 0; row < time.length; row++) {
      const now = time[row] as number // inside the bounds
      equity[row] = (equity[row] as number) + worth(now) / bySymbol.size
    }
  }
  return { startTime, startEquity: 1, time, equity }
}

/** Returns what 1, put into an instrument at its first open, is worth at a time (ms UTC); ask in ascending order. */
function worthOf(markets: readonly ReplayedMarket[]): (now: number) => number {
  const series = markets
    .map(({ klines, interval }) => ({ klines, interval, next: 0 }))
    .sort((left, right) => intervalMs(left.interval) - intervalMs(right.interval))
  const [first] = series.toSorted((left, right) => startOf(left) - startOf(right))
  const bought = first?.klines.open[0] ?? Number.NaN
  let latest = Number.NEGATIVE_INFINITY
  let worth = 1
  return now => {
    for (const one of series) {
      const { klines, interval } = one
      while (one.next < klines.length) {
        const closeTime = closeTimeOf(klines.openTime[one.next] as number, interval) // a row, as below
        if (closeTime > now) break
        // Of klines that close together, the shortest counts.
        if (closeTime > latest) {
          latest = closeTime
          worth = (klines.close[one.next] as number) / bought
        }
        one.next++
      }
    }
    return worth
  }
}

function startOf({ klines }: Pick<ReplayedMarket, 'klines'>): number {
  return klines.openTime[0] ?? Number.POSITIVE_INFINITY
}
