import { type BacktestConfig, backtestConfigSchema } from './backtest-config.ts'
import { parseConfig } from './parse-config.ts'
import { readYamlFile } from './yaml-file.ts'

/** Reads the configuration of a backtest; throws one `UsageError` that lists every problem. */
export function loadBacktestConfig(path: string): BacktestConfig {
  return parseConfig(readYamlFile(path), backtestConfigSchema)
}
