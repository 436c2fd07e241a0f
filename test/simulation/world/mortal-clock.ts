import type { Clock } from '../../../src/domain/clock.ts'
import { createSystemClock } from '../../../src/exchange/clock/system-clock.ts'

/** A machine whose time was set to another one for a while. */
export interface ClockStep {
  /** First moment, ms UTC of the world. */
  readonly from: number
  /** The moment after the last, ms UTC of the world. */
  readonly until: number
  /** How far ahead it is meanwhile, ms; negative: behind. */
  readonly aheadMs: number
}

/** How a machine's time differs from the world's. */
export interface MachineTime {
  /** How far it is ahead, ms. */
  readonly aheadMs: number
  /** Steps on top of that, which end. */
  readonly clockSteps: readonly ClockStep[]
}

/** The system clock of one life, on a machine whose time is right or not: when that life is over, none of its timers calls back any more. */
export function mortalClock(
  world: Clock,
  isAlive: () => boolean,
  { aheadMs, clockSteps }: MachineTime = { aheadMs: 0, clockSteps: [] },
): Clock {
  const stepAt = (time: number) =>
    clockSteps
      .filter(({ from, until }) => from <= time && time < until)
      .reduce((sum, step) => sum + step.aheadMs, 0)
  return createSystemClock({
    wallNow: () => world.now() + aheadMs + stepAt(world.now()),
    monotonicNow: () => world.now(),
    schedule: (delayMs, callback) =>
      world.schedule(delayMs, () => {
        if (isAlive()) callback()
      }),
  })
}
