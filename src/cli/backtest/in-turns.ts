import { setImmediate } from 'node:timers/promises'
import type { Resumable } from '../../../backtest/run/resumable.ts'
import { scopeOfRuns } from '../../sandbox/guarded-strategy.ts'
import type { StrategyScope } from '../../sandbox/strategy-scope.ts'

/** Time between two pauses, ms; during it signals and timers wait. */
const TURN_MS = 20

/**
 * Runs work to its end, and lets other events run at its pauses; reports the number of klines played since
 * the last report. Its strategies are refused the clock and other sources that no backtest can repeat;
 * rejects with `StrategyError` if a promise that one left behind has failed.
 */
export async function inTurns<Result>(
  work: Resumable<Result>,
  onPlayed: (klines: number) => void = () => {},
): Promise<Result> {
  const scope = scopeOfRuns()
  let turnedAt = performance.now()
  let played = 0
  let tookMs: number | undefined
  for (;;) {
    const begunAt = performance.now()
    const step = scope.call(() => (tookMs === undefined ? work.next() : work.next(tookMs)))
    if (step.done === true) {
      // Promises left behind run before the next turn.
      await setImmediate()
      requireSound(scope)
      return step.value
    }
    played += step.value
    tookMs = performance.now() - begunAt
    if (performance.now() - turnedAt < TURN_MS) continue
    onPlayed(played)
    played = 0
    await setImmediate()
    requireSound(scope)
    turnedAt = performance.now()
  }
}

function requireSound({ failure }: StrategyScope): void {
  if (failure !== undefined) throw failure
}
