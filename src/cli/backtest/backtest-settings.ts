import { type BacktestConfig, backtestConfigSchema } from '../../bot/config/backtest-config.ts'
import { parseConfig } from '../../bot/config/parse-config.ts'
import { readYamlFile } from '../../bot/config/yaml-file.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** Where the configuration of a backtest is. */
export interface SettingsSource {
  /** Path of a YAML file. */
  readonly config: string
  /** What such a file says, instead of the file. */
  readonly configValues?: unknown
}

/** The configuration of a backtest, and what it was made from. */
export interface BacktestSettings {
  readonly config: BacktestConfig
  readonly configValues: unknown
}

/** Reads the configuration of a backtest; throws `UsageError` for one that cannot be used. */
export function backtestSettings({ config: path, configValues }: SettingsSource): BacktestSettings {
  if (configValues === undefined) {
    const file = readYamlFile(path)
    return { config: parseConfig(file, backtestConfigSchema), configValues: file.value }
  }
  const parsed = backtestConfigSchema.safeParse(configValues)
  if (parsed.success) return { config: parsed.data, configValues }
  const [issue] = parsed.error.issues
  throw new UsageError(
    `The configuration in ${path} cannot be used any more: ${issue?.path.join('.')}: ${issue?.message}.`,
    parsed.error,
  )
}
