import { flag, wholeNumber } from './fields.ts'
import { addressField } from './notices-field.ts'
import { SECRET_VARIABLES } from './secret-variables.ts'
import { section } from './section.ts'
import { variableField } from './venue-fields.ts'

const otlp = section({
  url: addressField.describe(
    'Address of the collector, with its path, such as http://127.0.0.1:4318/v1/metrics.',
  ),
  headersEnv: variableField
    .default(SECRET_VARIABLES.otlpHeaders)
    .describe(
      'Environment variable with the headers that the collector asks for, such as authorization=Bearer%20TOKEN; several with commas between them. Without it none.',
    ),
  everyMs: wholeNumber(1000).default(15_000).describe('How often they are sent, ms of real time.'),
})

/** Export of metrics to a collector of OpenTelemetry. */
export type OtlpConfig = ReturnType<typeof otlp.parse>

/** Metrics of a bot: who may read them, and how much they show. */
export const metricsField = section({
  balances: flag()
    .default(false)
    .describe(
      'Show money in the metrics: equity, positions and fees. Without it only ratios, counts and times.',
    ),
  tokenEnv: variableField
    .default(SECRET_VARIABLES.metricsToken)
    .describe(
      'Environment variable with the token by which other machines read the metrics; without one only this machine can.',
    ),
  otlp: otlp
    .optional()
    .describe('Sends the metrics to a collector of OpenTelemetry (OTLP over HTTP, JSON); off by default.'),
})

/** The settings of a bot's metrics. */
export type MetricsConfig = ReturnType<typeof metricsField.parse>
