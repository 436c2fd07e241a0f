/** Environment variables by name. */
export type Environment = Record<string, string | undefined>

/** Environment variables that hold secrets, unless a configuration names others. */
export const SECRET_VARIABLES = {
  apiKey: 'SLUICE_API_KEY',
  apiSecret: 'SLUICE_API_SECRET',
  telegramToken: 'SLUICE_TELEGRAM_TOKEN',
  mailPassword: 'SLUICE_SMTP_PASSWORD',
  metricsToken: 'SLUICE_METRICS_TOKEN',
  /** OpenTelemetry's own name. */
  otlpHeaders: 'OTEL_EXPORTER_OTLP_HEADERS',
  redisUser: 'SLUICE_REDIS_USER',
  redisPassword: 'SLUICE_REDIS_PASSWORD',
} as const

/** Takes secrets out of an environment and returns them: those of `SECRET_VARIABLES`, and those of further variables. */
export function takeSecrets(environment: Environment, variables: readonly string[] = []): Environment {
  const names = [...Object.values(SECRET_VARIABLES), ...variables]
  const secrets = Object.fromEntries(names.map(name => [name, environment[name]]))
  for (const name of names) delete environment[name]
  return secrets
}

/** Names of the variables that a configuration gives: the texts of all its keys that end with Env. */
export function variablesIn(config: object): readonly string[] {
  return Object.entries(config).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'string') return key.endsWith('Env') ? [value] : []
    return typeof value === 'object' && value !== null ? variablesIn(value) : []
  })
}
