import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { type ExchangeOrderStatus, orderStatusOf } from '../wire/exchange-order-status.ts'
import {
  integerOf,
  optionalDecimalField,
  optionalIdField,
  presentIdOf,
  withOrderId,
} from '../wire/wire-field.ts'

/** Accepted order: only its id is certain, the other fields depend on the host. */
export interface PlacedOrder {
  readonly orderId: string
  readonly clientOrderId: string | undefined
  /** `BASE/QUOTE`. */
  readonly symbol: string
  /** `undefined` if the answer omits it or it is unknown: query the order. */
  readonly status: ExchangeOrderStatus | undefined
  /** Base units; `undefined` if the answer omits it. */
  readonly executedQuantity: Decimal | undefined
  /** Accepted price; `undefined` if the answer omits it. Zero for a market order. */
  readonly price: Decimal | undefined
  /** `origQty`: quote for a market buy, base otherwise. */
  readonly orderedVolume: Decimal | undefined
  /** ms UTC. */
  readonly time: number | undefined
}

const wireOrder = z.object({
  orderId: optionalIdField,
  orderIdString: optionalIdField,
  clientOrderId: z.transform(presentIdOf),
  symbol: z.transform((value: unknown) => (typeof value === 'string' ? value : '')),
  status: z.transform((value: unknown) => orderStatusOf(value)),
  executedQty: optionalDecimalField,
  price: optionalDecimalField,
  origQty: optionalDecimalField,
  transactTime: z.transform(integerOf),
})

/**
 * Answer of a new order, on some hosts its id alone. All fields but the id may be missing or unreadable: an
 * accepted order must not look lost because of a minor field.
 */
export const placedOrderResponse = z
  .preprocess(withOrderId, wireOrder)
  .transform((wire, context): PlacedOrder => {
    const orderId = wire.orderIdString ?? wire.orderId
    if (orderId === undefined) {
      context.addIssue({ code: 'custom', path: ['orderId'], message: 'a placed order needs an order id' })
      return z.NEVER
    }
    return {
      orderId,
      clientOrderId: wire.clientOrderId,
      symbol: wire.symbol,
      status: wire.status,
      executedQuantity: wire.executedQty,
      price: wire.price,
      orderedVolume: wire.origQty,
      time: wire.transactTime,
    }
  })
