import type { BacktestResult } from '../results/backtest-result.ts'
import type { BacktestOptions, MarketsBacktestOptions } from './backtest-options.ts'
import { atOnce, type Resumable } from './resumable.ts'
import { resumableBacktest } from './run-backtest.ts'

/** Results of a run by the worst and by the best path inside each kline. */
export interface PathBounds {
  /** The run with the path `pessimistic`. */
  readonly worst: BacktestResult
  /** The run with the path `optimistic`. */
  readonly best: BacktestResult
  /** True if both have the same fills, so that the path inside klines decides nothing. */
  readonly areAlike: boolean
}

/**
 * Runs a backtest twice, `pessimistic` and `optimistic`, and returns the interval between the two outcomes
 * (its ends are the lower and the higher of the two, from either run). `fills.path` and `detail` of the
 * options are ignored.
 *
 * Bounded is the result of one kline: the profit of its trades after fees, with the position at its close
 * marked there. Given the position and the resting orders at its open, no path that touches open, high, low
 * and close makes less than `pessimistic` or more than `optimistic`. That is proven against all paths for
 * entries of one market with their stop-losses, take-profits (also of parts), trailing stops and groups
 * (`test/backtest/path-enumerator`). It is not proven for volume limits, liquidations, exits that rest by
 * themselves, quotes, entries against the position, balances that do not cover an order, and strategies that
 * act on a fill inside a kline: there the path is chosen by a forecast, and chosen anew after each fill.
 *
 * Not bounded is a run of several klines in which the two differ: from then on they hold other positions and
 * decide otherwise. A stop-out at the worst price can avoid a larger loss later, so that other paths can end
 * outside of the interval, and the optimistic run can end below the pessimistic one.
 */
export function boundsOf(options: BacktestOptions | MarketsBacktestOptions): PathBounds {
  return atOnce(resumableBounds(options))
}

/** The same, with pauses. */
export function* resumableBounds(options: BacktestOptions | MarketsBacktestOptions): Resumable<PathBounds> {
  const by = (path: 'pessimistic' | 'optimistic') => resumableBacktest(withPath(options, path))
  const worst = yield* by('pessimistic')
  const best = yield* by('optimistic')
  return { worst, best, areAlike: haveSameFills(worst, best) }
}

function haveSameFills({ fills: one }: BacktestResult, { fills: other }: BacktestResult): boolean {
  if (one.length !== other.length) return false
  const others = other[Symbol.iterator]()
  for (const { time, price, quantity, side, symbol } of one) {
    const same = others.next().value
    if (same?.time !== time || same.price !== price || same.quantity !== quantity) return false
    if (same.side !== side || same.symbol !== symbol) return false
  }
  return true
}

function withPath(
  options: BacktestOptions | MarketsBacktestOptions,
  path: 'pessimistic' | 'optimistic',
): BacktestOptions | MarketsBacktestOptions {
  const fills = { ...options.fills, path }
  return 'markets' in options
    ? { ...options, fills, markets: options.markets.map(market => ({ ...market, detail: undefined })) }
    : { ...options, fills, detail: undefined }
}
