import type { Kline } from '../../src/domain/market-data/kline.ts'
import { roundedDown, type Steps, steps } from '../../src/domain/numbers/grid.ts'

/** Returns the quantity that all orders together may trade on a kline. */
export type Participation = (kline: Kline) => Steps

/** No limit. */
export const UNLIMITED = steps(Number.MAX_SAFE_INTEGER)

/**
 * At most a fraction of the kline's volume, in whole steps, rounded down except for float noise; unlimited
 * without a fraction. `stepsPerBase`: steps in one unit of volume.
 */
export function volumeParticipation(mostShare: number | undefined, stepsPerBase: number): Participation {
  if (mostShare === undefined) return () => UNLIMITED
  return ({ volume }) => steps(Math.min(roundedDown(volume * stepsPerBase * mostShare), UNLIMITED))
}
