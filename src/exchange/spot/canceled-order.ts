import { z } from 'zod'
import { type ExchangeOrderStatus, orderStatusField } from '../wire/exchange-order-status.ts'
import { optionalIdField } from '../wire/wire-field.ts'

/** The exchange took a cancel: `pendingCancel` where it cancels later, so the order must be watched until it is over. */
export interface CanceledOrder {
  readonly orderId: string | undefined
  readonly clientOrderId: string | undefined
  /** `BASE/QUOTE`. */
  readonly symbol: string
  readonly status: ExchangeOrderStatus
}

/** Answer of a cancel; a missing or odd status counts as `pendingCancel`, which promises least. */
export const canceledOrderResponse = z
  .object({
    orderId: optionalIdField,
    orderIdString: optionalIdField,
    clientOrderId: optionalIdField.catch(undefined),
    symbol: z.string().nullish(),
    status: orderStatusField.catch('pendingCancel'),
  })
  .transform(
    (wire): CanceledOrder => ({
      orderId: wire.orderIdString ?? wire.orderId,
      clientOrderId: wire.clientOrderId,
      symbol: wire.symbol ?? '',
      status: wire.status,
    }),
  )
