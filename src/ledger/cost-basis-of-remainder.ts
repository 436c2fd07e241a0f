import type { Instrument } from '../domain/instrument.ts'
import { type Amount, add, subtract, ZERO } from '../domain/numbers/amount.ts'
import { notionalOf, type Steps, steps } from '../domain/numbers/grid.ts'
import type { Position } from '../domain/position.ts'
import { type ContractPosition, share } from './contract-position.ts'

/**
 * Cost in quote of `rest`, the remainder of a position after a partial close at a time (ms UTC): contracts
 * opened later count at their own prices, others at their share of the position then. A close may become
 * known after later fills. `undefined` if no contracts were opened since, or more than remain.
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
