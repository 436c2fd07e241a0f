import type { EquityCurve } from './equity-curve.ts'

/** One fall from a peak until equity was back there. Times are ms UTC. */
export interface Drawdown {
  /** Depth: a fraction of the peak; above 1 where a margin account owes more than it has. */
  readonly fraction: number
  readonly peakTime: number
  /** When equity was lowest. */
  readonly troughTime: number
  /** When equity was back at the peak; `null` where it was not before the end of the data. */
  readonly recoveryTime: number | null
}

/** Depth, duration and number of falls of equity below an earlier peak. */
export interface Drawdowns {
  /** Largest fall, as a fraction of its peak. */
  readonly fraction: number
  /** Longest time from a peak until equity was back there, or until the end of the data. */
  readonly longestMs: number
  /** Fraction of the time, by closes, that equity was below its peak. */
  readonly underWater: number
  /** The deepest falls, the deepest first; at most five. */
  readonly deepest: readonly Drawdown[]
}

const KEPT = 5

/** The drawdowns of a curve, one after another; its start is the first peak. */
export function drawdownsOf({ startTime, startEquity, time, equity }: EquityCurve): Drawdowns {
  const deepest: Drawdown[] = []
  let [peak, peakTime, longestMs, underWaterMs] = [startEquity, startTime, 0, 0]
  for (let row = 0; row < time.length; row++) {
    const worth = equity[row] as number // inside the bounds
    if (worth < peak) {
      const end = firstAtLeast(equity, peak, row)
      const recoveryTime = time[end] ?? null
      const lastBelow = time[end - 1] as number // the row itself, or one after it
      underWaterMs += lastBelow - (time[row - 1] ?? startTime)
      longestMs = Math.max(longestMs, (recoveryTime ?? lastBelow) - peakTime)
      const trough = lowestRow(equity, row, end)
      const fraction = (peak - (equity[trough] as number)) / peak // inside the bounds
      keep(deepest, { fraction, peakTime, troughTime: time[trough] as number, recoveryTime })
      row = end
    }
    peak = equity[row] ?? peak
    peakTime = time[row] ?? peakTime
  }
  const durationMs = (time[time.length - 1] ?? startTime) - startTime
  return {
    fraction: deepest[0]?.fraction ?? 0,
    longestMs,
    underWater: durationMs > 0 ? underWaterMs / durationMs : 0,
    deepest,
  }
}

/** The largest fall of a curve from a peak, as a fraction of the peak. */
export function deepestFallOf({ startEquity, equity }: EquityCurve): number {
  let [peak, deepest] = [startEquity, 0]
  for (let row = 0; row < equity.length; row++) {
    const worth = equity[row] as number // inside the bounds
    if (worth > peak) peak = worth
    else deepest = Math.max(deepest, 1 - worth / peak)
  }
  return deepest
}

/** The first row from `start` on with equity of at least `peak`; the length if there is none. */
function firstAtLeast(equity: ArrayLike<number>, peak: number, start: number): number {
  let row = start
  while (row < equity.length && (equity[row] as number) < peak) row++ // inside the bounds
  return row
}

/** The row with the lowest value, from `start` (included) to `end` (excluded); the first of equals. */
function lowestRow(equity: ArrayLike<number>, start: number, end: number): number {
  let lowest = start
  let low = equity[start] as number // inside the bounds
  for (let row = start + 1; row < end; row++) {
    const worth = equity[row] as number // inside the bounds
    if (worth >= low) continue
    low = worth
    lowest = row
  }
  return lowest
}

/** Keeps the deepest in order; of equals, the earlier stays before the later. */
function keep(deepest: Drawdown[], drawdown: Drawdown): void {
  const last = deepest.at(-1)
  if (deepest.length === KEPT && last !== undefined && drawdown.fraction <= last.fraction) return
  const place = deepest.findIndex(({ fraction }) => fraction < drawdown.fraction)
  deepest.splice(place === -1 ? deepest.length : place, 0, drawdown)
  if (deepest.length > KEPT) deepest.pop()
}
