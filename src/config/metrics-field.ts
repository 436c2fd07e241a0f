import { flag } from './fields.ts'
import { section } from './section.ts'
import { variableField } from './venue-fields.ts'

/** Metrics of a bot: who may read them, and how much they show. */
export const metricsField = section({
  balances: flag()
    .default(false)
    .describe(
      'Show money in the metrics: equity, positions and fees. Without it only ratios, counts and times.',
    ),
  tokenEnv: variableField
    .default('SLUICE_METRICS_TOKEN')
    .describe(
      'Environment variable with the token by which other machines read the metrics; without one only this machine can.',
    ),
})

/** The settings of a bot's metrics. */
export type MetricsConfig = ReturnType<typeof metricsField.parse>
