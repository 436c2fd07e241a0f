import { type Metric, numberOf } from '../../../backtest/metrics/metric.ts'
import type { MetricsInput } from '../../../backtest/metrics/metrics.ts'
import { type Figures, metricsOf } from '../../../backtest/metrics/metrics.ts'
import { curveOf } from './curve.ts'
import { hourlyMarket } from './market.ts'

/** Metrics of a run that is empty but for what is given. */
export function metricsFor(input: Partial<MetricsInput>) {
  return metricsOf({
    curve: curveOf(100, []),
    markets: [hourlyMarket([])],
    roundTrips: [],
    fills: [],
    openPositions: [],
    ...input,
  })
}

/** The figures of such a run as numbers, `null` where there is none. */
export function figuresFor(input: Partial<MetricsInput>): Record<keyof Figures, number | null> {
  return numbersIn(metricsFor(input).figures)
}

/** Figures as numbers, `null` where there is none. */
function numbersIn(figures: Figures): Record<keyof Figures, number | null> {
  const entries = Object.entries(figures).map(([key, figure]: [string, Metric]) => [key, numberOf(figure)])
  return Object.fromEntries(entries) // has the same keys
}
