import { type Metric, metric, notAvailable } from '../metric.ts'
import type { Drawdowns } from './drawdown.ts'

/** Falls of equity below an earlier peak. Times in ms. */
export interface DrawdownMetrics {
  /** Largest fall from a peak, as a fraction of the peak. */
  readonly maxDrawdown: Metric
  /** Of the largest fall: from its peak to its lowest point. */
  readonly fallMs: Metric
  /** Of the largest fall: from its lowest point back to the peak. */
  readonly recoveryMs: Metric
  /** Longest time below a peak, until equity was back there or the data ended. */
  readonly longestDrawdownMs: Metric
  /** Fraction of the time below a peak. */
  readonly timeUnderWater: Metric
}

/** Drawdown metrics of a run. */
export function drawdownMetrics({ fraction, longestMs, underWater, deepest }: Drawdowns): DrawdownMetrics {
  const none = notAvailable('equity never fell')
  const [worst] = deepest
  return {
    maxDrawdown: metric(fraction),
    fallMs: worst === undefined ? none : metric(worst.troughTime - worst.peakTime),
    recoveryMs: worst === undefined ? none : recoveryOf(worst.troughTime, worst.recoveryTime),
    longestDrawdownMs: metric(longestMs),
    timeUnderWater: metric(underWater),
  }
}

function recoveryOf(troughTime: number, recoveryTime: number | null): Metric {
  return recoveryTime === null
    ? notAvailable('equity did not come back to the peak before the end of the data')
    : metric(recoveryTime - troughTime)
}
