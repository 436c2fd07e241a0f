import type { ParameterSet, Trial } from '../../../backtest/trials/trial.ts'
import type { TimeSpan } from '../../klines/slice-klines.ts'
import type { BacktestCommandOptions } from '../backtest/backtest-command-options.ts'
import type { CachedKlines } from '../backtest/input/cached-sources.ts'

/** Start message of a thread of trials. */
export interface TrialWorkerData {
  readonly options: BacktestCommandOptions
  /** Klines that were read already, in memory that all threads share. */
  readonly klines: CachedKlines
}

/** Parameter sets for a thread. */
export interface TrialRequest {
  readonly sets: readonly ParameterSet[]
  readonly span: TimeSpan | undefined
}

/** Message of a thread: a trial with the place of its set, the end of its request, or why it failed. */
export type TrialAnswer =
  | { readonly type: 'trial'; readonly trial: Trial; readonly index: number }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly isUsage: boolean; readonly message: string }
