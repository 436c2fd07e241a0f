import type { BacktestResult } from '../results/backtest-result.ts'
import type { BacktestOptions, MarketsBacktestOptions } from './backtest-options.ts'
import { isAlone } from './feed-data.ts'
import { atOnce, type Resumable } from './resumable.ts'
import { resumableMarket } from './run-market.ts'
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
  if (!('markets' in options))
    return isAlone(options) ? resumableMarket(options) : resumableMarkets({ ...options, markets: [options] })
  const { markets, onClosed, ...account } = options
  const [only, ...others] = markets
  return only !== undefined && others.length === 0 && onClosed === undefined && isAlone(only)
    ? resumableMarket({ ...account, ...only })
    : resumableMarkets(options)
}
