import { fixedLoss } from './fixed-loss.ts'
import type { LossModel } from './loss-model.ts'

/**
 * A taker pays half the spread, because klines show mid prices on average. `rate` is the spread as a fraction
 * of the price, `ticks` a spread in ticks on top; half of an odd number of ticks is rounded up.
 */
export function halfSpread(rate: number, ticks: number): LossModel {
  return fixedLoss(rate / 2, Math.ceil(ticks / 2))
}
