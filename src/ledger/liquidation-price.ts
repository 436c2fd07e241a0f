import type { Instrument } from '../domain/instrument.ts'
import { type Amount, add, ONE_RATE, subtract, ZERO } from '../domain/numbers/amount.ts'
import { baseAmount } from '../domain/numbers/grid.ts'
import { maintenanceRateWithFee } from './contract-margin.ts'
import type { ContractPosition } from './contract-position.ts'

/**
 * Mark price at which a position is liquidated, all else equal: `margin`, the equity behind it without its
 * own profit, plus that profit equals the maintenance margin. Long: (cost − margin) ÷ (base × (1 − rate));
 * short: (cost + margin) ÷ (base × (1 + rate)), where rate is the maintenance rate of its cost plus the
 * largest fee rate (reducePrice of the interface; the documented account answer agrees, 9740.8083). 0 for a
 * position that no price liquidates.
 */
export function liquidationPrice(
  instrument: Instrument,
  { direction, quantity, cost }: ContractPosition,
  margin: Amount,
): Amount {
  const rate = maintenanceRateWithFee(instrument, cost)
  const worth = direction === 'long' ? subtract(cost, margin) : add(cost, margin)
  const kept = direction === 'long' ? ONE_RATE - rate : ONE_RATE + rate
  if (worth <= ZERO || kept <= 0n) return ZERO
  return ((worth * ONE_RATE * ONE_RATE) / (baseAmount(instrument, quantity) * kept)) as Amount // worth over base
}
