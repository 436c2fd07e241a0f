import type { EngineOutput } from '../../domain/events/engine-output.ts'
import { StrategyEnded, StrategyError } from '../../strategy/strategy-error.ts'
import type { Desk } from '../strategy/desk.ts'

/** Takes in what was thrown while a strategy was asked: one that threw or has ended decides nothing more; anything else that was thrown goes on up. */
export function disableFailed(desk: Desk, error: unknown, out: EngineOutput[]): void {
  if (!(error instanceof StrategyError)) throw error
  const { symbol, book } = desk
  if (error instanceof StrategyEnded) {
    out.push({ type: 'strategyEnded', symbol, book, why: error.message })
    desk.retire()
    return
  }
  out.push({ type: 'strategyFailed', symbol, book, error })
  desk.disable(out)
}
