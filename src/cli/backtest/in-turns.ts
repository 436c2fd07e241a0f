import { setImmediate } from 'node:timers/promises'
import type { Pausing } from '../../../backtest/run/pausing.ts'
import { scopeOfRuns } from '../../sandbox/guarded-strategy.ts'
import type { StrategyScope } from '../../sandbox/strategy-scope.ts'

/** So long the process sees no signal, and no timer goes off. */
const TURN_MS = 20

/**
 * Does work to its end, and lets other events in at its pauses; tells how many klines were played since it last did.
 * Strategies that it runs are refused the clock and the rest of what no backtest can repeat; rejects with `StrategyError`
 * where a promise that one left behind has failed.
 */
export async function inTurns<Result>(
  work: Pausing<Result>,
  onPlayed: (klines: number) => void = () => {},
): Promise<Result> {
  const scope = scopeOfRuns()
  let turnedAt = performance.now()
  let played = 0
  for (;;) {
    const step = scope.call(() => work.next())
    if (step.done === true) {
      // What was left behind runs before the next turn.
      await setImmediate()
      requireSound(scope)
      return step.value
    }
    played += step.value
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
