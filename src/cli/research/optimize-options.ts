import type { SamplerName } from '../../../backtest/search/sampler-name.ts'
import type { BacktestCommandOptions } from '../backtest/backtest-command-options.ts'

/** A search as its command line has it. */
export interface OptimizeOptions {
  /** The backtest of every trial, without parameters. */
  readonly backtest: BacktestCommandOptions
  /** Narrowed or fixed parameters: text by name, see `searchedParameters`. */
  readonly parameters: Readonly<Record<string, string>>
  readonly sampler: SamplerName
  /** Most trials; default: all of a grid, otherwise 100. */
  readonly trials?: number | undefined
  /** Names of objectives, or one file that exports one, with commas between them. */
  readonly objective: string
  /** Round trips below which a profit factor counts for nothing. */
  readonly leastTrades: number
  /** Threads; default: one for each processor. */
  readonly jobs?: number | undefined
  /** True goes on with the latest search of the strategy on this data. */
  readonly resume: boolean
  /** Path of the study file; `false` keeps nothing. */
  readonly study: string | false
  /** A JSON file, or `-` for the standard output; replaces the table. */
  readonly json?: string | undefined
}

/** Everything that the trials of a search follow from, besides code, data and configuration. */
export interface SearchDefinition
  extends Pick<OptimizeOptions, 'parameters' | 'sampler' | 'objective' | 'leastTrades'> {
  readonly seed: number
  /** Hashes of objectives that are files. */
  readonly files: readonly string[]
}
