import type { LossModel } from './loss-model.ts'

/** Slippage that is always the same: a fraction of the price, and on top of it a whole number of ticks. */
export function fixedLoss(rate: number, ticks: number): LossModel {
  const loss = { rate, ticks }
  return () => loss
}
