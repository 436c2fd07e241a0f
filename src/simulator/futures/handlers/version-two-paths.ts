import type { EndpointKey } from '../../../exchange/endpoints.ts'
import type { EndpointHandler, IncomingCall } from '../../incoming-call.ts'
import { ApiError } from '../../protocol/api-error.ts'
import { RequestParameters } from '../../protocol/request-parameters.ts'
import { moveByType, movesByType } from '../typed-transfers.ts'
import { futuresAccount } from './futures-account-handlers.ts'
import { accountOf, contractOf } from './futures-call.ts'
import {
  cancelAll,
  cancelFuturesOrder,
  findFuturesOrder,
  placeFuturesOrder,
} from './futures-order-handlers.ts'
import { myFuturesTrades, openFuturesOrders, orderDetails } from './futures-record-handlers.ts'
import { editLeverage, editPositionMargin } from './futures-setting-handlers.ts'
import { done } from './wire-value.ts'

/** A path outside the interface document, and the table row with its security, weight and limits. */
export interface PathBeside {
  readonly like: EndpointKey
  readonly handler: EndpointHandler
}

/** Answers as `handler` does, inside the envelope. */
function enveloped(handler: EndpointHandler): EndpointHandler {
  return call => done(handler(call))
}

/** The same call with additional parameters. */
function withFields(call: IncomingCall, fields: Readonly<Record<string, unknown>>): IncomingCall {
  const named = Object.entries(fields)
  return { ...call, parameters: new RequestParameters([...call.parameters.sent, ...named]) }
}

/** Clients of these paths do not send the version header. */
const order: EndpointHandler = call =>
  placeFuturesOrder({ ...call, headers: { ...call.headers, 'futures-version': '101' } })

/** One order where the first version answers with a list; its clients spell its end with one l. */
const oneOrder: EndpointHandler = call => {
  const details = orderDetails(findFuturesOrder(call))
  return details.status === 'CANCELLED' ? { ...details, status: 'CANCELED' } : details
}

const leverage: EndpointHandler = call =>
  editLeverage(withFields(call, { nowLevel: call.parameters.required('leverage') }))

/** Names the contract instead of the position: its isolated one. */
const positionMargin: EndpointHandler = call => {
  const { contract } = contractOf(call)
  const { long, short } = accountOf(call).slot(contract)
  const position = [long, short].find(held => held?.marginMode === 'isolated')
  if (position === undefined) throw new ApiError('PARAM_ERROR', `no isolated position on ${contract.name}`)
  return editPositionMargin(withFields(call, { positionId: String(position.id) }))
}

/**
 * The second version of the signed futures paths, documented by a sibling of this interface. The interface
 * document has the first version only; client libraries that speak its public half send their orders here.
 */
export const VERSION_TWO_PATHS: Readonly<Record<string, PathBeside>> = {
  'POST /fapi/v2/order': { like: 'futuresNewOrder', handler: enveloped(order) },
  'GET /fapi/v2/order': { like: 'futuresOrder', handler: enveloped(oneOrder) },
  'GET /fapi/v2/openOrders': { like: 'futuresOpenOrders', handler: enveloped(openFuturesOrders) },
  'GET /fapi/v2/myTrades': { like: 'futuresMyTrades', handler: enveloped(myFuturesTrades) },
  'POST /fapi/v2/cancel': { like: 'futuresCancel', handler: enveloped(cancelFuturesOrder) },
  'POST /fapi/v2/allOpenOrders': { like: 'futuresCancelAll', handler: cancelAll },
  'POST /fapi/v2/level_edit': { like: 'futuresEditLever', handler: leverage },
  'POST /fapi/v2/positionMargin': { like: 'futuresEditPositionMargin', handler: positionMargin },
  'GET /fapi/v2/account': { like: 'futuresAccount', handler: enveloped(futuresAccount) },
  'POST /fapi/v2/futures_transfer': { like: 'assetTransfer', handler: moveByType },
  'GET /fapi/v2/futures_transfer_history': { like: 'assetTransferQuery', handler: enveloped(movesByType) },
}
