import { type Steps, steps } from '../../src/domain/grid.ts'
import type { Kline } from '../../src/domain/kline.ts'

/** Tells how much all orders together may trade on a kline. */
export type Participation = (kline: Kline) => Steps

/** As much as orders want. */
export const UNLIMITED = steps(Number.MAX_SAFE_INTEGER)
/** A product within this much below a whole number of steps is that number. */
const NOISE = 1e-9

/** At most a fraction of the kline's volume, in whole steps, rounded down; anything without a fraction. `stepsPerBase`: steps in one unit of volume. */
export function volumeParticipation(mostShare: number | undefined, stepsPerBase: number): Participation {
  if (mostShare === undefined) return () => UNLIMITED
  return ({ volume }) => steps(Math.min(Math.floor(volume * stepsPerBase * mostShare + NOISE), UNLIMITED))
}
