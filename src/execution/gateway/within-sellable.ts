import type { Instrument } from '../../domain/instrument.ts'
import type { Amount } from '../../domain/numbers/amount.ts'
import { notionalOf, stepsWithin } from '../../domain/numbers/grid.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'

/**
 * An order that sells no more than `sellable` base units, so that what is free is sold although others lock the rest; the order
 * itself where nothing is in the way, or where what is free is less than an order may be.
 */
export function withinSellable(
  instrument: Instrument,
  request: OrderRequest,
  sellable: Amount | undefined,
): OrderRequest {
  if (sellable === undefined) return request
  const quantity = stepsWithin(instrument, sellable)
  if (quantity >= request.quantity || quantity < instrument.minQuantity) return request
  if (notionalOf(instrument, request.referencePrice, quantity) < instrument.minNotional) return request
  return { ...request, quantity }
}
