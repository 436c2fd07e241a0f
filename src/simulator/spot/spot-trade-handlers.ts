import { type EndpointHandler, userOf } from '../incoming-call.ts'
import { ApiError } from '../protocol/api-error.ts'
import { findOrder } from './find-order.ts'
import { isOpen } from './spot-order.ts'
import { readSpotOrder } from './spot-order-parameters.ts'
import { orderEntry, orderIdentity, placedOrder } from './wire-order.ts'

/**
 * POST /sapi/v2/order: confirms only acceptance (status `0`, nothing executed), as the documented answer
 * does; the order query shows the outcome.
 */
export const newOrder: EndpointHandler = call => {
  const { exchange, parameters } = call
  const { instrument } = exchange.marketOf(parameters.text('symbol'))
  const order = exchange.place(userOf(call), readSpotOrder(parameters, instrument))
  return {
    ...placedOrder(order),
    orderIdString: order.id.toString(),
    symbolName: instrument.symbol,
    status: '0',
  }
}

/** Interface section 4.2, Test New Order. */
const TESTED_TYPES = ['LIMIT', 'MARKET'] as const

/** POST /sapi/v2/order/test: every check of New Order, and no order. */
export const testOrder: EndpointHandler = call => {
  const { exchange, parameters } = call
  const { instrument } = exchange.marketOf(parameters.text('symbol'))
  exchange.check(userOf(call), readSpotOrder(parameters, instrument, TESTED_TYPES))
  return {}
}

/** GET /sapi/v2/order */
export const queryOrder: EndpointHandler = call => {
  const order = findOrder(call, userOf(call).history)
  return { ...orderEntry(order), transactTime: order.time.toString() }
}

/** POST /sapi/v2/cancel */
export const cancelOrder: EndpointHandler = call => {
  const order = findOrder(call, userOf(call).history)
  if (!isOpen(order)) throw new ApiError('ORDER_NOT_SUPPORT_CANCELLATION')
  call.exchange.cancel(order)
  return { ...orderIdentity(order), orderId: order.id.toString(), status: order.status }
}
