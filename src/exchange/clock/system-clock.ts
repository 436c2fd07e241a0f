import type { Clock } from '../../domain/clock.ts'
import { realTimeout } from './real-timeout.ts'

/** Time sources of a clock; by default those of this machine. */
export interface TimeSources {
  /** System time, ms UTC; a person or NTP may set it forward or back at any moment. */
  readonly wallNow?: () => number
  /** Time since a fixed moment, ms; it cannot be set. */
  readonly monotonicNow?: () => number
  readonly schedule?: Clock['schedule']
}

/**
 * Clock of the machine: starts at the system time and continues by the monotonic clock. A later change of the
 * system time has no effect; the exchange's time is measured against this clock.
 */
export function createSystemClock({
  wallNow = Date.now,
  monotonicNow = () => performance.now(),
  schedule = realTimeout,
}: TimeSources = {}): Clock {
  const startedAt = wallNow()
  const origin = monotonicNow()
  return { now: () => Math.floor(startedAt + (monotonicNow() - origin)), schedule }
}
