import type { Clock } from '../../domain/clock.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { realTimeout } from '../../exchange/clock/real-timeout.ts'

/** Speed and start of a clock. */
export interface Acceleration {
  /** Clock time per real time, above 0: at 60 a clock minute takes one real second. */
  readonly speed: number
  /** ms UTC that the clock shows when it is created. */
  readonly startAt: number
}

/** A clock that runs `speed` times as fast as real time, measured monotonically; throws `UsageError` for a speed that is not above 0. */
export function createAcceleratedClock({ speed, startAt }: Acceleration): Clock {
  if (!Number.isFinite(speed) || speed <= 0) {
    throw new UsageError(`The speed of a clock must be a number above 0, but it is ${speed}.`)
  }
  const origin = performance.now()
  return {
    now: () => Math.floor(startAt + (performance.now() - origin) * speed),
    schedule: (delayMs, callback) => realTimeout(delayMs / speed, callback),
  }
}
