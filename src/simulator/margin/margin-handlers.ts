import { type EndpointHandler, type IncomingCall, userOf } from '../incoming-call.ts'
import { ApiError } from '../protocol/api-error.ts'
import { findOrder } from '../spot/find-order.ts'
import { isOpen } from '../spot/spot-order.ts'
import { readSpotOrder } from '../spot/spot-order-parameters.ts'
import { chosenOpenOrders, chosenTrades } from '../spot/spot-record-handlers.ts'
import { listedOrder, orderEntry, orderIdentity, placedOrder, tradeEntry } from '../spot/wire-order.ts'

/** Supplement section 6. */
const MARGIN_TYPES = ['LIMIT', 'MARKET'] as const
const LONGEST_CLIENT_ORDER_ID = 32

/** POST /sapi/v2/margin/order: trades on the spot book with the margin account; unlike on spot, the status is `NEW`. */
export const newMarginOrder: EndpointHandler = call => {
  const { exchange, parameters } = call
  const { instrument } = exchange.marketOf(parameters.text('symbol'))
  const draft = readSpotOrder(parameters, instrument, MARGIN_TYPES)
  if ((draft.clientOrderId?.length ?? 0) > LONGEST_CLIENT_ORDER_ID) {
    throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'newClientOrderId')
  }
  const order = exchange.place(marginOf(call), draft)
  return { ...placedOrder(order), orderId: order.id.toString(), status: 'NEW' }
}

/** GET /sapi/v2/margin/order */
export const queryMarginOrder: EndpointHandler = call => {
  const order = findOrder(call, marginOf(call).history)
  return { ...orderEntry(order), orderId: order.id.toString(), transactTime: order.time.toString() }
}

/** POST /sapi/v2/margin/cancel */
export const cancelMarginOrder: EndpointHandler = call => {
  const order = findOrder(call, marginOf(call).history)
  if (!isOpen(order)) throw new ApiError('ORDER_NOT_SUPPORT_CANCELLATION')
  call.exchange.cancel(order)
  return { ...orderIdentity(order), orderId: order.id.toString(), status: order.status }
}

/**
 * GET /sapi/v2/margin/openOrders, newest first; without a symbol those of all. The list has no client order
 * ids.
 */
export const openMarginOrders: EndpointHandler = call =>
  chosenOpenOrders(call, marginOf(call).history).map(order => {
    const { symbol, price, origQty, executedQty, avgPrice, status, type, side, time } = listedOrder(order)
    return {
      ...{ orderId: order.id.toString(), symbol, price, origQty, executedQty },
      ...{ avgPrice, status, type, side, time },
    }
  })

/** GET /sapi/v2/margin/myTrades, newest first; unlike on spot, without user ids. */
export const marginTrades: EndpointHandler = call =>
  chosenTrades(call, marginOf(call).history).map(tradeEntry)

function marginOf(call: IncomingCall) {
  return userOf(call).margin
}
