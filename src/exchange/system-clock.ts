import type { Clock } from '../domain/clock.ts'
import { realTimeout } from './real-timeout.ts'

/** The clock of the machine. Where the machine sets its clock back, this one stands still until time has caught up. */
export function createSystemClock(): Clock {
  let latest = 0
  return {
    now: () => {
      latest = Math.max(latest, Date.now())
      return latest
    },
    schedule: realTimeout,
  }
}
