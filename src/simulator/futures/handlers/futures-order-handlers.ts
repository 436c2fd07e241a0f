import type { EndpointHandler, IncomingCall } from '../../incoming-call.ts'
import { ApiError } from '../../protocol/api-error.ts'
import { isWaiting } from '../orders/futures-order.ts'
import { readConditionOrder, readFuturesOrder } from '../orders/order-parameters.ts'
import type { SimulatedFuturesOrder } from '../positions/futures-account.ts'
import { accountOf, contractOf, idOf, optionalContract } from './futures-call.ts'
import { done } from './wire-value.ts'

/** The header that the interface document requires with every new order (section 5.7). */
const VERSION_HEADER = 'futures-version'
const VERSION = '101'

/** POST /fapi/v1/order: answers with the id as text, because it is beyond 2^53. */
export const placeFuturesOrder: EndpointHandler = call => {
  const { contract, mark } = contractOf(call)
  checkVersion(call)
  const draft = readFuturesOrder(call.parameters, contract, mark)
  return { orderId: call.futures.orders.place(accountOf(call), draft).id.toString() }
}

/** POST /fapi/v1/conditionOrder: the order keeps its id when its condition is fulfilled. */
export const newConditionOrder: EndpointHandler = call => {
  const { contract } = contractOf(call)
  checkVersion(call)
  const draft = readConditionOrder(call.parameters, contract)
  return { orderId: call.futures.orders.place(accountOf(call), draft).id.toString() }
}

/** POST /fapi/v1/cancel: an order on the book, or a condition that waits. */
export const cancelFuturesOrder: EndpointHandler = call => {
  const order = findFuturesOrder(call)
  if (!isWaiting(order)) throw new ApiError('ORDER_NOT_SUPPORT_CANCELLATION')
  call.futures.orders.requestCancel(order)
  return { orderId: order.id.toString() }
}

/** POST /fapi/v1/cancel_all: everything that waits, conditions included; on one contract if it is named. */
export const cancelAll: EndpointHandler = call => {
  const listed = optionalContract(call)
  for (const order of accountOf(call).records.openOrders) {
    const isMeant = listed === undefined || order.contract === listed.contract
    if (isMeant && isWaiting(order)) call.futures.orders.requestCancel(order)
  }
  return done()
}

/** The order of a contract with an `orderId`, else the latest with the `clientOrderId`; throws `ApiError`. */
export function findFuturesOrder(call: IncomingCall): SimulatedFuturesOrder {
  const { contract } = contractOf(call)
  const { records } = accountOf(call)
  const clientOrderId = call.parameters.text('clientOrderId')
  const id = idOf(call.parameters, 'orderId')
  if (id === undefined && clientOrderId === undefined) {
    throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'orderId')
  }
  const order = id === undefined ? records.byClientId(clientOrderId ?? '') : records.byId(id)
  if (order?.contract !== contract) throw new ApiError('NO_SUCH_ORDER')
  return order
}

function checkVersion({ futures, headers }: IncomingCall): void {
  if (futures.settings.requiresVersionHeader && headers[VERSION_HEADER] !== VERSION) {
    throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', VERSION_HEADER)
  }
}
