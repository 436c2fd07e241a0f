import type { IncomingCall } from '../incoming-call.ts'
import { ApiError } from '../protocol/api-error.ts'
import type { OrderHistory } from './order-history.ts'
import type { SimulatedSpotOrder } from './spot-order.ts'

/** The order that a call is about: by `orderId`, else the latest with the client order id; throws `ApiError`. */
export function findOrder({ exchange, parameters }: IncomingCall, history: OrderHistory): SimulatedSpotOrder {
  const { instrument } = exchange.marketOf(parameters.text('symbol'))
  const clientOrderId = parameters.text('newClientOrderId')
  const id = clientOrderId === undefined ? parameters.required('orderId') : parameters.text('orderId')
  const order =
    id === undefined ? history.byClientId(clientOrderId ?? '') : history.byId(orderIdOf(id, 'orderId'))
  if (order === undefined || order.instrument !== instrument) throw new ApiError('NO_SUCH_ORDER')
  return order
}

/** An order id in a parameter; throws `ApiError` unless all characters are digits. */
export function orderIdOf(text: string, name: string): bigint {
  if (!/^\d{1,30}$/.test(text)) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', name)
  return BigInt(text)
}
