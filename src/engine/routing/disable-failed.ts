import type { EngineOutput } from '../../domain/events/engine-output.ts'
import { StrategyEnded, StrategyError } from '../../strategy/strategy-error.ts'
import type { StrategyRunner } from '../strategy/strategy-runner.ts'

/** Takes in what was thrown while a strategy was asked: one that threw or has ended decides nothing more; anything else that was thrown goes on up. */
export function disableFailed(runner: StrategyRunner, error: unknown, out: EngineOutput[]): void {
  if (!(error instanceof StrategyError)) throw error
  const { symbol, book } = runner
  if (error instanceof StrategyEnded) {
    out.push({ type: 'strategyEnded', symbol, book, why: error.message })
    runner.retire()
    return
  }
  out.push({ type: 'strategyFailed', symbol, book, error })
  runner.disable(out)
}
