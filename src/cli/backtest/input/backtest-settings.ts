import { checkFillSettings, type PathPolicy } from '../../../../backtest/models/fill-settings.ts'
import { type BacktestConfig, backtestConfigSchema } from '../../../config/backtest-config.ts'
import { requireKind } from '../../../config/config-kind.ts'
import { parseConfig } from '../../../config/parse-config.ts'
import { readYamlFile } from '../../../config/yaml-file.ts'
import { UsageError } from '../../../domain/sluice-error.ts'

/** Where the configuration of a backtest is. */
export interface SettingsSource {
  /** Path of a YAML file. */
  readonly config: string
  /** What such a file says, instead of the file. */
  readonly configValues?: unknown
  /** Instead of the path inside klines that it says. */
  readonly path?: PathPolicy
  /** Interval of finer klines, which are for the path `detail`. */
  readonly detail?: string
  /** Whether the worst and the best path are played as well. */
  readonly bounds?: boolean
}

/** The configuration of a backtest, and what it was made from. */
export interface BacktestSettings {
  /** With the path that was asked for. */
  readonly config: BacktestConfig
  /** As it was written. */
  readonly configValues: unknown
}

/** Reads the configuration of a backtest; throws `UsageError` for one that cannot be used. */
export function backtestSettings(source: SettingsSource): BacktestSettings {
  const { config, configValues } = writtenSettings(source)
  const path = source.path ?? (source.detail === undefined ? config.fills.path : 'detail')
  if (path === 'detail' && source.detail === undefined) {
    throw new UsageError(
      'The path "detail" needs klines of a finer interval; name it, as in --detail 1m, or use another path.',
    )
  }
  const fills = { ...config.fills, path }
  checkFillSettings(fills)
  if (source.bounds === true) checkBounds(fills)
  return { config: { ...config, fills }, configValues }
}

function checkBounds(fills: BacktestConfig['fills']): void {
  try {
    checkFillSettings({ ...fills, path: 'optimistic' })
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause
    throw new UsageError(`--bounds plays the path optimistic as well. ${cause.message}`, cause)
  }
}

function writtenSettings({ config: path, configValues }: SettingsSource): BacktestSettings {
  if (configValues === undefined) {
    const file = readYamlFile(path)
    requireKind(path, file.value, 'backtest')
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
