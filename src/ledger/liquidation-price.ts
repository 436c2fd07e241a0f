import type { Instrument } from '../domain/instrument.ts'
import { type Amount, add, ONE_RATE, subtract, ZERO } from '../domain/numbers/amount.ts'
import { baseAmount } from '../domain/numbers/grid.ts'
import { keptRate } from './contract-margin.ts'
import type { ContractPosition } from './contract-position.ts'

/**
 * Mark price at which a position is liquidated if nothing else changes: where `margin`, the money behind it without its own
 * profit, and that profit come down to what it must keep. A long one: (cost − margin) ÷ (base × (1 − rate)), a short one:
 * (cost + margin) ÷ (base × (1 + rate)), with the maintenance rate of its cost and the largest fee rate as rate (reducePrice
 * of the interface; the documented account answer agrees, 9740.8083). 0 for one that no price liquidates.
 */
export function liquidationPrice(
  instrument: Instrument,
  { direction, quantity, cost }: ContractPosition,
  margin: Amount,
): Amount {
  const rate = keptRate(instrument, cost)
  const worth = direction === 'long' ? subtract(cost, margin) : add(cost, margin)
  const kept = direction === 'long' ? ONE_RATE - rate : ONE_RATE + rate
  if (worth <= ZERO || kept <= 0n) return ZERO
  return ((worth * ONE_RATE * ONE_RATE) / (baseAmount(instrument, quantity) * kept)) as Amount // worth over base
}
