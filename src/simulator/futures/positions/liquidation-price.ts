import { type Amount, add, ONE_RATE, subtract, ZERO } from '../../../domain/numbers/amount.ts'
import { baseOf, keepRateOf, maxFeeRateOf } from '../contract.ts'
import type { SimulatedPosition } from './position.ts'

/**
 * Mark price at which a position is liquidated, all else equal: `margin`, the equity behind it without its
 * own profit, plus that profit equals the maintenance margin. Long: (cost − margin) ÷ (base × (1 − keepRate −
 * maxFeeRate)); short: (cost + margin) ÷ (base × (1 + keepRate + maxFeeRate)). It agrees with the documented
 * account answer (9740.8083). 0 for a position that no price liquidates.
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
