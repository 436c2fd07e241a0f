import { atOnce, type Pausing } from './pausing.ts'
import {
  type BacktestOptions,
  type BacktestResult,
  type MarketsBacktestOptions,
  pausingBacktest,
} from './run-backtest.ts'
import { startEquityOf } from './start-equity.ts'

/** A lower and an upper value. */
export interface Span {
  readonly low: number
  readonly high: number
}

/** What a run comes to by the worst and by the best assumption about the path inside klines. */
export interface PathBounds {
  /** The run with the path `pessimistic`. */
  readonly worst: BacktestResult
  /** The run with the path `optimistic`. */
  readonly best: BacktestResult
  /** Equity at the last close, in quote. */
  readonly finalEquity: Span
  /** Final equity ÷ equity at the first open, less 1; `undefined` without klines or without equity to start from. */
  readonly totalReturn: Span | undefined
}

/**
 * Runs a backtest twice, `pessimistic` and `optimistic`, and gives the interval between the two outcomes (its ends are the
 * lower and the higher of the two, whichever run they come from). `fills.path` and `detail` of the options do not count.
 *
 * What is bounded: each protective exit by itself. Given what is held at the open of a kline and what is placed, no path
 * inside that kline that touches its open, high, low and close gives a fixed stop-loss and take-profit of one entry a worse
 * price than `pessimistic` or a better one than `optimistic`. Slippage, spread, latency and `limitFill` are the same in both.
 *
 * What is not: the run as a whole. After an exit has differed, later decisions, sizes and denials differ as well, so that a
 * path of its own for every kline can end outside of the interval, and the optimistic run can even end below the
 * pessimistic one. Nor do the two cover the best trailing (being stopped may help or hurt), the order of several entries on
 * one kline, or entries that never come: an unfilled limit counts as neither good nor bad.
 */
export function boundsOf(options: BacktestOptions | MarketsBacktestOptions): PathBounds {
  return atOnce(pausingBounds(options))
}

/** The same, with pauses. */
export function* pausingBounds(options: BacktestOptions | MarketsBacktestOptions): Pausing<PathBounds> {
  const by = (path: 'pessimistic' | 'optimistic') => pausingBacktest(withPath(options, path))
  const worst = yield* by('pessimistic')
  const best = yield* by('optimistic')
  const start = startEquityOf(options.balances, 'markets' in options ? options.markets : [options])
  const finalEquity = spanOf(worst.equity.at(-1) ?? start, best.equity.at(-1) ?? start)
  const totalReturn =
    start > 0 && worst.equity.length > 0
      ? { low: finalEquity.low / start - 1, high: finalEquity.high / start - 1 }
      : undefined
  return { worst, best, finalEquity, totalReturn }
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

function spanOf(one: number, other: number): Span {
  return { low: Math.min(one, other), high: Math.max(one, other) }
}
