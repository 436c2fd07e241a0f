import type { EngineOutput } from '../../domain/events/engine-output.ts'
import { StrategyEnded, StrategyError } from '../../strategy/strategy-error.ts'
import type { StrategyRunner } from '../strategy/strategy-runner.ts'

/**
 * Handles an error of a strategy's handler: a strategy that threw or has ended is disabled; other errors are
 * rethrown.
 */
export function disableFailed(runner: StrategyRunner, error: unknown, out: EngineOutput[]): void {
  if (!(error instanceof StrategyError)) throw error
  const { strategy, symbol, book } = runner
  if (error instanceof StrategyEnded) {
    out.push({ type: 'strategyEnded', strategy, symbol, book, why: error.message })
    runner.retire()
    return
  }
  out.push({ type: 'strategyFailed', strategy, symbol, book, error })
  runner.disable(out)
}
