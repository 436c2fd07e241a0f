import { type Amount, add, ZERO } from '../domain/amount.ts'
import { notionalOf, type Steps } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Position } from '../domain/position.ts'

/**
 * What the contracts cost, in quote, that were opened after a time (ms UTC), where these are exactly `rest`, what is left of a
 * position that was taken over at that time; `undefined` otherwise. A takeover may be known later than what filled after it.
 */
export function openedSince(
  instrument: Instrument,
  position: Position | undefined,
  time: number,
  rest: Steps,
): Amount | undefined {
  let [quantity, cost] = [0, ZERO]
  for (const lot of position?.lots ?? []) {
    if (lot.time <= time) continue
    quantity += lot.quantity
    cost = add(cost, notionalOf(instrument, lot.price, lot.quantity))
  }
  return quantity > 0 && quantity === rest ? cost : undefined
}
