import type { SearchRequest } from './search-request.ts'

/** The options of `npm run optimize`. */
export interface OptimizeOptions extends SearchRequest {
  /** True goes on with the latest search of the strategy on this data. */
  readonly resume: boolean
  /** A JSON file, or `-` for the standard output; replaces the table. */
  readonly json?: string | undefined
  /** A file for an HTML page. */
  readonly html?: string | undefined
}

/**
 * Everything that the trials of a search follow from, besides code, data and configuration; and how many are asked for, which tells no
 * search from another: the same one goes on to more.
 */
export interface SearchDefinition
  extends Pick<OptimizeOptions, 'parameters' | 'sampler' | 'trials' | 'objective' | 'leastTrades'> {
  readonly seed: number
  /** Hashes of objectives that are files. */
  readonly files: readonly string[]
  /** Command that searched; absent for `optimize`. */
  readonly command?: 'validate' | 'walk-forward'
}
