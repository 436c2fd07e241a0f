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

/** Everything that the trials of a search follow from, besides code, data and configuration. */
export interface SearchDefinition
  extends Pick<OptimizeOptions, 'parameters' | 'sampler' | 'objective' | 'leastTrades'> {
  readonly seed: number
  /** Hashes of objectives that are files. */
  readonly files: readonly string[]
}
