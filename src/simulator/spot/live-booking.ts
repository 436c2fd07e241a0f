import { amountToText } from '../../domain/numbers/amount.ts'
import { quantityText } from '../../domain/numbers/grid.ts'
import type { MatchingKind, ObservedFill } from '../../matching/working-order.ts'
import type { LiveOrderBooking } from '../live/live-orders.ts'
import type { SpotMarket } from './spot-market.ts'
import { openQuantityAt, type SimulatedSpotOrder, type SpotOrderType } from './spot-order.ts'

const KIND_OF: Readonly<Record<SpotOrderType, MatchingKind>> = {
  LIMIT: 'limit',
  STOP: 'limit',
  POST_ONLY: 'postOnly',
  FOK: 'fillOrKill',
  IOC: 'immediate',
  MARKET: 'immediate',
  STOP_MARKET: 'immediate',
}

/** Books fills on an observed pair; `counterparty` makes the exchange's own order for each. */
export function spotBooking(
  market: SpotMarket,
  counterparty: (fill: ObservedFill<SimulatedSpotOrder>) => SimulatedSpotOrder,
): LiveOrderBooking<SimulatedSpotOrder> {
  return {
    termsOf: ({ side, type, price }) => ({ side, kind: KIND_OF[type], limit: price }),
    described: ({ id, clientOrderId, instrument, size }) => ({
      order: id.toString(),
      clientOrderId,
      quantity: size.unit === 'base' ? quantityText(instrument, size.quantity) : undefined,
      amount: size.unit === 'quote' ? amountToText(size.amount) : undefined,
    }),
    openAt: openQuantityAt,
    book: fill => market.trade(fill, counterparty(fill)),
    end: order => market.end(order),
  }
}
