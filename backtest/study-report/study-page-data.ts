/** Unit of the values of a column, which says how they are written. */
export type ColumnUnit = 'ratio' | 'percent' | 'count' | 'money' | 'duration' | 'value'

/**
 * Encoding of the values of a column, whose bytes lie in planes: first the lowest byte of every value, then the next.
 * `scaled`: whole numbers ÷ 10^decimals in four bytes, the least of them for a value that is missing. `double`: eight bytes, NaN where
 * one is missing. `codes`: places in `values`, which are in order.
 */
export type ColumnEncoding =
  | { readonly type: 'scaled'; readonly decimals: number }
  | { readonly type: 'double' }
  | { readonly type: 'codes'; readonly bytes: 1 | 2 | 4; readonly values: readonly (number | string)[] }

/** One column of the table of trials; its bytes, deflated, are in the element `column-KEY`. */
export interface TrialColumn {
  readonly key: string
  readonly label: string
  readonly kind: 'trial' | 'parameter' | 'figure'
  readonly unit: ColumnUnit
  readonly encoding: ColumnEncoding
  /** Why a finished trial may have none. */
  readonly missing?: string
}

/** All trials of a page. */
export interface PageTrials {
  readonly count: number
  readonly columns: readonly TrialColumn[]
  /** Column that charts show first, and by which the table is sorted. */
  readonly leading: string
  /** Different trials that finished: the same parameters and configuration with the same returns are one. */
  readonly finished: number
  /** Trials that luck had, also those that are not on the page. */
  readonly counted: number
  /** Annual Sharpe ratio that the best of the trials up to a place is expected to have without skill; empty where it is unknown. */
  readonly luck: readonly (readonly [place: number, sharpe: number])[]
  /** Words of the command that runs a trial again, before its parameters. */
  readonly command: string
}

/** One window of a walk-forward. */
export interface PageWindow {
  /** Times in ms UTC. */
  readonly trainFrom: number
  readonly testFrom: number
  readonly testTo: number
  /** Values of the chosen parameters; `null` where none was chosen. */
  readonly chosen: readonly (number | string)[] | null
  /** Mean daily return, a fraction; `null` for one without days. */
  readonly inSample: number | null
  readonly outOfSample: number | null
}

/** Windows of a walk-forward, and the equity of their tests one after another. */
export interface PageWalkForward {
  readonly parameters: readonly string[]
  readonly windows: readonly PageWindow[]
  /** First UTC day, counted from 1970-01-01. */
  readonly firstDay: number
  /** Equity at the end of each day, of 1 at the start. */
  readonly equity: readonly number[]
}

/** Equity along each path of combinatorial splits. */
export interface PagePaths {
  /** First UTC day, counted from 1970-01-01; that of all paths. */
  readonly firstDay: number
  /** Of each path: equity at the end of each day, of 1 at the start. */
  readonly equity: readonly (readonly number[])[]
}

/** Drawdowns of resampled round trips beside the actual one; fractions. */
export interface PageDrawdowns {
  readonly key: string
  readonly title: string
  readonly actual: number
  /** The smallest first. */
  readonly drawdowns: readonly number[]
}

/** Data of the page of a study for its script. */
export interface StudyPageData {
  readonly quote: string
  readonly trials?: PageTrials
  readonly walkForward?: PageWalkForward
  readonly paths?: PagePaths
  readonly drawdowns?: readonly PageDrawdowns[]
}
