import type { EquityCurve } from './equity-curve.ts'

/** How far, and for how long, equity was below what it had been. */
export interface Drawdown {
  /** Largest fall from a peak, as a fraction of the peak; above 1 where a margin account owes more than it has. */
  readonly fraction: number
  /** Longest time from a peak until equity was back there, or until the end of the data. */
  readonly longestMs: number
}

/** The worst drawdowns of a curve; its start is the first peak. */
export function drawdownOf({ startTime, startEquity, time, equity }: EquityCurve): Drawdown {
  let [peak, peakTime, fraction, longestMs] = [startEquity, startTime, 0, 0]
  for (let index = 0; index < time.length; index++) {
    const worth = equity[index] as number // inside the bounds
    const at = time[index] as number // inside the bounds
    if (worth < peak) {
      fraction = Math.max(fraction, (peak - worth) / peak)
      longestMs = Math.max(longestMs, at - peakTime)
      continue
    }
    if (endsDrawdown(index, equity, peak)) longestMs = Math.max(longestMs, at - peakTime)
    peak = worth
    peakTime = at
  }
  return { fraction, longestMs }
}

/** Whether the kline before was still below the peak, so that this one ends a drawdown. */
function endsDrawdown(index: number, equity: ArrayLike<number>, peak: number): boolean {
  const before = equity[index - 1]
  return before !== undefined && before < peak
}
