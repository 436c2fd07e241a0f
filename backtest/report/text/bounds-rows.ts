import { numberOf } from '../../metrics/metric.ts'
import type { Figures } from '../../metrics/metrics.ts'
import type { Bounds } from './report-section.ts'

/** The interval of one figure between the worst and the best path. */
export interface BoundsRow {
  readonly key: keyof Figures
  /** The lower and the higher of the two runs' values, whichever run it is; `null` where one of them has none. */
  readonly low: number | null
  readonly high: number | null
}

/** The figures that bounds are given for. */
const MAIN: readonly (keyof Figures)[] = [
  'endEquity',
  'totalReturn',
  'maxDrawdown',
  'sharpe',
  'roundTrips',
  'winRate',
  'profitFactor',
]

/** The intervals of the main figures, in one order. */
export function boundsRows({ worst, best }: Bounds): BoundsRow[] {
  return MAIN.map(key => {
    const [one, other] = [numberOf(worst.figures[key]), numberOf(best.figures[key])]
    if (one === null || other === null) return { key, low: null, high: null }
    return { key, low: Math.min(one, other), high: Math.max(one, other) }
  })
}
