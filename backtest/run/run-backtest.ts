import type { BacktestResult } from '../results/backtest-result.ts'
import type { BacktestOptions, MarketsBacktestOptions } from './backtest-options.ts'
import { atOnce, type Resumable } from './resumable.ts'
import { resumableMarkets } from './run-markets.ts'

/**
 * Runs strategies over klines, on one account. Throws `UsageError` for parameters that cannot be used and for markets that do
 * not fit together, `StrategyError` when a strategy throws.
 */
export function runBacktest(options: BacktestOptions | MarketsBacktestOptions): BacktestResult {
  return atOnce(resumableBacktest(options))
}

/** The same, with pauses. */
export function resumableBacktest(
  options: BacktestOptions | MarketsBacktestOptions,
): Resumable<BacktestResult> {
  return resumableMarkets('markets' in options ? options : { ...options, markets: [options] })
}
