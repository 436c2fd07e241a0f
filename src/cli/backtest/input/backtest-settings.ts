import { checkFillSettings, type PathPolicy } from '../../../../backtest/models/fill-settings.ts'
import {
  type BacktestConfig,
  backtestConfigSchema,
  type WrittenBacktestConfig,
} from '../../../config/backtest-config.ts'
import { requireKind } from '../../../config/config-kind.ts'
import { parseConfig } from '../../../config/parse-config.ts'
import type { VerdictConfig } from '../../../config/verdict-field.ts'
import { readYamlFile } from '../../../config/yaml-file.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import type { QueueAssumption } from '../../../matching/queue-assumption.ts'

/** Source of a backtest's configuration. */
export interface SettingsSource {
  /** Path of a YAML file. */
  readonly config: string
  /** Content of such a file, in place of the file. */
  readonly configValues?: unknown
  /** Path policy within klines, in place of the configuration's. */
  readonly path?: PathPolicy
  /** Assumed queue on recorded ticks, in place of the configuration's. */
  readonly queue?: QueueAssumption
  /** Interval of finer klines, for the path `detail`. */
  readonly detail?: string
  /** True also plays the worst and the best path. */
  readonly bounds?: boolean
}

/** Configuration of a backtest, parsed and as written. */
export interface BacktestSettings {
  /** With the requested path policy. */
  readonly config: BacktestConfig
  /** Thresholds and sizes of a verdict. */
  readonly validate: VerdictConfig
  /** As it was written. */
  readonly configValues: unknown
}

/** Reads the configuration of a backtest; throws `UsageError` for an unusable one. */
export function backtestSettings(source: SettingsSource): BacktestSettings {
  const { config, validate, configValues } = writtenSettings(source)
  const path = source.path ?? (source.detail === undefined ? config.fills.path : 'detail')
  if (path === 'detail' && source.detail === undefined) {
    throw new UsageError(
      'The path "detail" needs klines of a finer interval; name it, as in --detail 1m, or use another path.',
    )
  }
  const { queue = config.fills.queue } = source
  const fills = { ...config.fills, path, queue }
  checkFillSettings(fills)
  if (source.bounds === true) checkBounds(fills)
  return { config: { ...config, fills }, validate, configValues }
}

function checkBounds(fills: BacktestConfig['fills']): void {
  try {
    checkFillSettings({ ...fills, path: 'optimistic' })
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause
    throw new UsageError(`--bounds plays the path optimistic as well. ${cause.message}`, cause)
  }
}

const NO_SETTINGS =
  'The file is empty, so it does not say how to trade; write at least an account, as in "account: { type: spot, balance: { USDT: 10000 } }", or leave out --config to use config/backtest.yaml.'

function writtenSettings({ config: path, configValues }: SettingsSource): BacktestSettings {
  if (configValues === undefined) {
    const file = readYamlFile(path)
    requireKind(path, file.value, 'backtest')
    if (Object.keys(file.value ?? {}).length === 0)
      throw file.errorFor([{ offset: 0, sentence: NO_SETTINGS }])
    return settingsOf(parseConfig(file, backtestConfigSchema), file.value)
  }
  const parsed = backtestConfigSchema.safeParse(configValues)
  if (parsed.success) return settingsOf(parsed.data, configValues)
  const [issue] = parsed.error.issues
  throw new UsageError(
    `The configuration in ${path} cannot be used any more: ${issue?.path.join('.')}: ${issue?.message}.`,
    parsed.error,
  )
}

function settingsOf({ validate, ...config }: WrittenBacktestConfig, configValues: unknown): BacktestSettings {
  return { config, validate, configValues }
}
