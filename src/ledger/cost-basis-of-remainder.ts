import type { Instrument } from '../domain/instrument.ts'
import { type Amount, add, subtract, ZERO } from '../domain/numbers/amount.ts'
import { notionalOf, type Steps, steps } from '../domain/numbers/grid.ts'
import type { Position } from '../domain/position.ts'
import { type ContractPosition, share } from './contract-position.ts'

/**
 * What `rest`, the contracts that stay of a position of which a part was closed at a time (ms UTC), cost, in quote: those opened
 * after it their own prices, others their share of what was held then. A closing may be known later than what filled after
 * it. `undefined` where nothing was opened since, or more than stays.
 */
export function costBasisOfRemainder(
  instrument: Instrument,
  { quantity: whole, cost }: Pick<ContractPosition, 'quantity' | 'cost'>,
  lots: Position['lots'] | undefined,
  time: number,
  rest: Steps,
): Amount | undefined {
  let [opened, openedCost] = [0, ZERO]
  for (const lot of lots ?? []) {
    if (lot.time <= time) continue
    opened += lot.quantity
    openedCost = add(openedCost, notionalOf(instrument, lot.price, lot.quantity))
  }
  if (opened === 0 || opened > rest) return undefined
  const before = steps(whole - opened)
  const kept = steps(rest - opened)
  return kept === 0 ? openedCost : add(openedCost, share(subtract(cost, openedCost), kept, before))
}
