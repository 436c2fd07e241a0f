import type { Convention } from '../../metrics/convention.ts'
import { type Metric, numberOf } from '../../metrics/metric.ts'
import type { Figures, Metrics } from '../../metrics/metrics.ts'
import type { Drawdown } from '../../metrics/returns/drawdown.ts'
import type { MonthReturn } from '../../metrics/returns/months.ts'
import type { RoundTripGroup } from '../../metrics/round-trips/round-trip-groups.ts'

/** Metrics as JSON: every figure by its name, `null` where it is not available, and then the reason in `notAvailable`. */
export type MetricsJson = Readonly<Record<keyof Figures, number | null>> & {
  readonly notAvailable: Readonly<Partial<Record<keyof Figures, string>>>
  readonly convention: Convention
  readonly months: readonly MonthReturn[]
  readonly drawdowns: readonly Drawdown[]
  readonly byExitReason: readonly RoundTripGroup[]
  readonly byTag: readonly RoundTripGroup[]
  readonly byDirection: readonly RoundTripGroup[]
}

/** Metrics as data for JSON, with their keys always in the same order. */
export function metricsJson(metrics: Metrics): MetricsJson {
  const { figures, convention, months, drawdowns, byExitReason, byTag, byDirection } = metrics
  const entries = Object.entries(figures) as [keyof Figures, Metric][] // of a literal with exactly these keys
  const numbers = entries.map(([name, figure]) => [name, numberOf(figure)])
  const reasons = entries.flatMap(([name, figure]) =>
    'value' in figure ? [] : [[name, figure.notAvailable]],
  )
  return {
    // The same keys as the figures.
    ...(Object.fromEntries(numbers) as Record<keyof Figures, number | null>),
    notAvailable: Object.fromEntries(reasons),
    convention,
    months,
    drawdowns,
    byExitReason,
    byTag,
    byDirection,
  }
}
