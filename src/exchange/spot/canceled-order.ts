import { z } from 'zod'
import { type ExchangeOrderStatus, orderStatusField } from '../wire/exchange-order-status.ts'
import { optionalIdField } from '../wire/wire-field.ts'

/**
 * Accepted cancel: with `pendingCancel` the exchange cancels later, so the order must be watched until it has
 * ended.
 */
export interface CanceledOrder {
  readonly orderId: string | undefined
  readonly clientOrderId: string | undefined
  /** `BASE/QUOTE`. */
  readonly symbol: string
  readonly status: ExchangeOrderStatus
}

const wireOrder = z.object({
  orderId: optionalIdField,
  orderIdString: optionalIdField,
  clientOrderId: optionalIdField.catch(undefined),
  symbol: z.string().nullish(),
  status: orderStatusField.catch('pendingCancel'),
})

/**
 * Answer of a cancel, which may have no content; a missing or unknown status becomes `pendingCancel`, which
 * assumes least.
 */
export const canceledOrderResponse = z
  .preprocess(answer => answer ?? {}, wireOrder)
  .transform(
    (wire): CanceledOrder => ({
      orderId: wire.orderIdString ?? wire.orderId,
      clientOrderId: wire.clientOrderId,
      symbol: wire.symbol ?? '',
      status: wire.status,
    }),
  )
