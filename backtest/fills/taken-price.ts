import type { Instrument } from '../../src/domain/instrument.ts'
import { roundToTicks, type Ticks, ticks } from '../../src/domain/numbers/grid.ts'
import type { Loss } from '../models/loss-model.ts'
import type { ModelOrder } from './model-order.ts'

/** The parts of a taking order that decide its price. */
export type Taking = Pick<ModelOrder, 'isBuy' | 'limitPrice'>

const ONE_TICK = 1

/** No loss at all. */
export const NO_LOSS: Loss = { rate: 0, ticks: 0 }

/**
 * Price of an order that takes from the book at `price` (quote per base): worse by the loss, rounded against
 * the account, but within its limit, and never below one tick: nothing trades at 0.
 */
export function takenPrice(
  instrument: Instrument,
  { isBuy, limitPrice }: Taking,
  price: number,
  loss: Loss,
): Ticks {
  const sign = isBuy ? 1 : -1
  const slipped = roundToTicks(instrument, price * (1 + sign * loss.rate), isBuy ? 'up' : 'down')
  // A sale at a price of a few ticks would otherwise bring nothing.
  const paid = ticks(Math.max(ONE_TICK, slipped + sign * loss.ticks))
  if (limitPrice === undefined) return paid
  const limit = roundToTicks(instrument, limitPrice, 'nearest')
  return isBuy ? ticks(Math.min(paid, limit)) : ticks(Math.max(paid, limit))
}
