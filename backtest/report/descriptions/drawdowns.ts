import type { DrawdownMetrics } from '../../metrics/returns/drawdown-metrics.ts'
import type { MetricDescription } from '../metric-description.ts'

/** Descriptions of falls. */
export const DRAWDOWN_DESCRIPTIONS: Readonly<Record<keyof DrawdownMetrics, MetricDescription>> = {
  maxDrawdown: {
    label: 'Max drawdown',
    unit: 'percent',
    meaning: 'Largest fall from a peak, as a share of the peak, over the closes of all klines.',
  },
  fallMs: {
    label: 'From peak to bottom',
    unit: 'duration',
    meaning: 'How long the largest fall took from its peak to its lowest point.',
  },
  recoveryMs: {
    label: 'From bottom to peak',
    unit: 'duration',
    meaning: 'How long the largest fall took from its lowest point back to the peak.',
  },
  longestDrawdownMs: {
    label: 'Longest drawdown',
    unit: 'duration',
    meaning: 'Longest time below a peak, until equity was back there or the data ended.',
  },
  timeUnderWater: { label: 'Time under water', unit: 'percent', meaning: 'Share of the time below a peak.' },
}
