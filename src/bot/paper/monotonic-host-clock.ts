import type { Clock } from '../../domain/clock.ts'

/**
 * The clock of a host as far as it is known, in whole ms UTC: it never goes back, though a new measurement may
 * correct the estimate. Actions are scheduled by `clock`.
 */
export function hostClock(serverNow: () => number, clock: Clock): Clock {
  let latest = Number.NEGATIVE_INFINITY
  return {
    now: () => {
      latest = Math.max(latest, Math.floor(serverNow()))
      return latest
    },
    schedule: (delayMs, action) => clock.schedule(delayMs, action),
  }
}
