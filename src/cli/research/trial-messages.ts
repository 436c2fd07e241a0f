import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import type { ParameterSet, Trial } from '../../../backtest/trials/trial.ts'
import type { TimeSpan } from '../../klines/slice-klines.ts'

/** Start message of a thread of trials: it loads the strategy, and reads nothing else. */
export interface TrialWorkerData {
  /** Path of the strategy. */
  readonly strategy: string
  /** Plain data; klines are in memory that all threads share. */
  readonly backtest: Omit<BacktestOptions, 'strategy'>
  /** Annual, a fraction. */
  readonly riskFreeRate: number
}

/** Parameter sets, of which a thread runs those that it takes. */
export interface TrialRequest {
  readonly sets: readonly ParameterSet[]
  readonly span: TimeSpan | undefined
  /** Threads that run them, and `next` of their `SharedPlaces`. */
  readonly threads: number
  readonly next: Int32Array<SharedArrayBuffer>
}

/** Message of a thread: a trial with the place of its set, the end of its request, or why it failed. */
export type TrialAnswer =
  | { readonly type: 'trial'; readonly trial: Trial; readonly index: number }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly isUsage: boolean; readonly message: string }
