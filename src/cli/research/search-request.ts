import type { SamplerName } from '../../../backtest/search/sampler-name.ts'
import type { BacktestCommandOptions } from '../backtest/backtest-command-options.ts'
import type { RedisAccess } from '../redis-access.ts'

/** A search as its command line has it. */
export interface SearchRequest {
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
  /** Path of the study file; `false` keeps nothing. */
  readonly study: string | false
  /** Threads; default: of a search one for each processor, of what tests it one, because a thread takes a second to start. */
  readonly jobs?: number | undefined
  /** Redis, where workers take the trials from. */
  readonly queue?: RedisAccess | undefined
}
