import type { BacktestResult } from '../results/backtest-result.ts'
import type { BacktestOptions } from '../run/backtest-options.ts'
import type { Resumable } from '../run/resumable.ts'
import { resumableBacktest } from '../run/run-backtest.ts'
import { type RecordEntry, recordedStrategy } from './recorded-strategy.ts'

/** Record of a backtest, step by step. */
export interface RunRecord {
  readonly entries: readonly RecordEntry[]
  /**
   * Number of klines shown to the strategy; with several markets, number of moments at which klines closed.
   */
  readonly klinesSeen: number
  /** Of several markets: these moments, ms UTC, ascending; the rows of the entries. */
  readonly moments?: readonly number[] | undefined
  /** Absent where the run ended with an error. */
  readonly result: BacktestResult | undefined
  /** Present where the run ended with an error. */
  readonly error: unknown
}

/** Runs a backtest of one market and records it, with pauses. An error ends the record, and is part of it. */
export function* recordRun(options: BacktestOptions, warmUp?: number): Resumable<RunRecord> {
  const { strategy, entries, klinesSeen } = recordedStrategy(options.strategy, { warmUp })
  try {
    const result = yield* resumableBacktest({ ...options, strategy })
    return { entries, klinesSeen: klinesSeen(), result, error: undefined }
  } catch (error) {
    return { entries, klinesSeen: klinesSeen(), result: undefined, error }
  }
}
