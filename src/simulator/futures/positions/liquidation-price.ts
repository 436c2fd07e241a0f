import { type Amount, add, ONE_RATE, subtract, ZERO } from '../../../domain/numbers/amount.ts'
import { baseOf, keepRateOf, maxFeeRateOf } from '../contract.ts'
import type { SimulatedPosition } from './position.ts'

/**
 * Mark price at which a position is liquidated if nothing else changes: where `margin`, the money behind it without its own
 * profit, and that profit come down to the maintenance. A long one: (cost − margin) ÷ (base × (1 − keepRate − maxFeeRate)),
 * a short one: (cost + margin) ÷ (base × (1 + keepRate + maxFeeRate)). It agrees with the documented account answer
 * (9740.8083). 0 for one that no price liquidates.
 */
export function positionLiquidationPrice(
  { contract, direction, cost, volume }: SimulatedPosition,
  margin: Amount,
): Amount {
  const rate = keepRateOf(contract, cost) + maxFeeRateOf(contract)
  const worth = direction === 'long' ? subtract(cost, margin) : add(cost, margin)
  const kept = direction === 'long' ? ONE_RATE - rate : ONE_RATE + rate
  if (worth <= ZERO || kept <= 0n) return ZERO
  return ((worth * ONE_RATE * ONE_RATE) / (baseOf(contract, volume) * kept)) as Amount // worth over base
}
