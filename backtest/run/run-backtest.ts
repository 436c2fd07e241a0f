import type { BacktestResult } from '../results/backtest-result.ts'
import type { BacktestOptions, MarketsBacktestOptions } from './backtest-options.ts'
import { isAlone } from './feed-data.ts'
import { atOnce, type Pausing } from './pausing.ts'
import { pausingMarket } from './run-market.ts'
import { pausingMarkets } from './run-markets.ts'

/**
 * Runs strategies over klines, on one account. Throws `UsageError` for parameters that cannot be used and for markets that do
 * not fit together, `StrategyError` when a strategy throws.
 */
export function runBacktest(options: BacktestOptions | MarketsBacktestOptions): BacktestResult {
  return atOnce(pausingBacktest(options))
}

/** The same, with pauses. */
export function pausingBacktest(options: BacktestOptions | MarketsBacktestOptions): Pausing<BacktestResult> {
  if (!('markets' in options))
    return isAlone(options) ? pausingMarket(options) : pausingMarkets({ ...options, markets: [options] })
  const { markets, onClosed, ...account } = options
  const [only, ...others] = markets
  return only !== undefined && others.length === 0 && onClosed === undefined && isAlone(only)
    ? pausingMarket({ ...account, ...only })
    : pausingMarkets(options)
}
