import type { Clock } from '../../domain/clock.ts'
import { realTimeout } from './real-timeout.ts'

/** Where a machine's time comes from; by default this machine. */
export interface TimeSources {
  /** The time that the machine is set to, ms UTC; a person or NTP may set it forward or back at any moment. */
  readonly wallNow?: () => number
  /** Time since a fixed moment, ms; nobody can set it. */
  readonly monotonicNow?: () => number
  readonly schedule?: Clock['schedule']
}

/**
 * The clock of the machine: begins at the time that the machine is set to, and runs on by the monotonic clock. Setting the
 * machine's time forward or back afterwards changes nothing; the exchange's time is measured against this clock.
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
