import { type BacktestOptions, type BacktestResult, runBacktest } from '../run-backtest.ts'
import { type RecordEntry, recordedStrategy } from './recorded-strategy.ts'

/** What a backtest did, step by step. */
export interface RunRecord {
  readonly entries: readonly RecordEntry[]
  /** How many klines the strategy was shown. */
  readonly klinesSeen: number
  /** Absent where the run ended with an error. */
  readonly result: BacktestResult | undefined
  /** Present where the run ended with an error. */
  readonly error: unknown
}

/** Runs a backtest and records it. An error ends the record, and is part of it. */
export function recordRun(options: BacktestOptions, warmUp?: number): RunRecord {
  const { strategy, entries, klinesSeen } = recordedStrategy(options.strategy, warmUp)
  try {
    const result = runBacktest({ ...options, strategy })
    return { entries, klinesSeen: klinesSeen(), result, error: undefined }
  } catch (error) {
    return { entries, klinesSeen: klinesSeen(), result: undefined, error }
  }
}
