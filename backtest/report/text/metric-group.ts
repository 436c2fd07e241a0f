import type { Figures } from '../../metrics/metrics.ts'
import { DRAWDOWN_DESCRIPTIONS } from '../descriptions/drawdowns.ts'
import { BENCHMARK_DESCRIPTIONS, RETURN_DESCRIPTIONS } from '../descriptions/returns.ts'
import { RISK_DESCRIPTIONS } from '../descriptions/risk.ts'
import { ROUND_TRIP_DESCRIPTIONS } from '../descriptions/round-trips.ts'
import { TRADING_DESCRIPTIONS } from '../descriptions/trading.ts'
import type { MetricDescription } from '../metric-description.ts'

/** Metrics that reports show together. */
export interface MetricGroup {
  readonly title: string
  readonly metrics: readonly DescribedMetric[]
}

/** The key of a metric, with its texts. */
export interface DescribedMetric extends MetricDescription {
  readonly key: keyof Figures
}

/** Every metric once, in the order of reports. */
export const METRIC_GROUPS: readonly MetricGroup[] = [
  groupOf('Returns', RETURN_DESCRIPTIONS),
  groupOf('Against buy and hold', BENCHMARK_DESCRIPTIONS),
  groupOf('Trading and costs', TRADING_DESCRIPTIONS),
  groupOf('Risk', RISK_DESCRIPTIONS),
  groupOf('Drawdown', DRAWDOWN_DESCRIPTIONS),
  groupOf('Round trips', ROUND_TRIP_DESCRIPTIONS),
]

function groupOf<Key extends keyof Figures>(
  title: string,
  descriptions: Readonly<Record<Key, MetricDescription>>,
): MetricGroup {
  // The keys of a literal are all the keys of its type.
  const keys = Object.keys(descriptions) as Key[]
  return { title, metrics: keys.map(key => ({ key, ...descriptions[key] })) }
}
