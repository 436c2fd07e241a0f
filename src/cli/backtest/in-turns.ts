import { setImmediate } from 'node:timers/promises'
import type { Pausing } from '../../../backtest/pausing.ts'

/** So long the process sees no signal, and no timer goes off. */
const TURN_MS = 20

/** Does work to its end, and lets other events in at its pauses; tells how many klines were played since it last did. */
export async function inTurns<Result>(
  work: Pausing<Result>,
  onPlayed: (klines: number) => void = () => {},
): Promise<Result> {
  let turnedAt = performance.now()
  let played = 0
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    played += step.value
    if (performance.now() - turnedAt < TURN_MS) continue
    onPlayed(played)
    played = 0
    await setImmediate()
    turnedAt = performance.now()
  }
}
