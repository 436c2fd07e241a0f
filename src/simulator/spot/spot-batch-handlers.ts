import type { Instrument } from '../../domain/instrument.ts'
import { type EndpointHandler, type IncomingCall, userOf } from '../incoming-call.ts'
import { ApiError } from '../protocol/api-error.ts'
import { objectParameters, RequestParameters } from '../protocol/request-parameters.ts'
import { orderIdOf } from './find-order.ts'
import { isOpen, type SimulatedSpotOrder } from './spot-order.ts'
import { readSpotOrder } from './spot-order-parameters.ts'

/** Interface section 8. */
const MAX_BATCH = 10
/** Interface section 4.2, Batch Orders. */
const BATCH_TYPES = ['LIMIT', 'MARKET'] as const

/**
 * POST /sapi/v2/batchOrders: each order is accepted or refused by itself, and the answer lists the accepted
 * ones; if there are none, it is the refusal of the first, because an empty list would say less.
 */
export const batchOrders: EndpointHandler = call => {
  const { exchange, parameters } = call
  const { instrument } = exchange.marketOf(parameters.text('symbol'))
  const entries = parameters.list('orders') ?? []
  if (entries.length === 0) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'orders')
  if (entries.length > MAX_BATCH) throw new ApiError('TOO_MANY_ORDERS')
  const results = entries.map(entry => placeOne(call, entry, instrument))
  const taken = results.filter(result => !(result instanceof ApiError))
  const [first] = results
  if (taken.length === 0 && first instanceof ApiError) throw first
  return { idsString: taken.map(({ id }) => id.toString()), ids: taken.map(({ id }) => id) }
}

function placeOne(call: IncomingCall, entry: unknown, instrument: Instrument): SimulatedSpotOrder | ApiError {
  try {
    const fields = batchEntry(entry)
    return call.exchange.place(userOf(call), readSpotOrder(fields, instrument, BATCH_TYPES))
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** An entry has `batchType` for `type`. */
function batchEntry(entry: unknown): RequestParameters {
  const { fields } = objectParameters(entry, 'orders')
  return new RequestParameters(Object.entries({ ...fields, type: fields.batchtype ?? fields.type }))
}

/** POST /sapi/v2/batchCancel: `failed` are ids of unknown or ended orders. */
export const batchCancel: EndpointHandler = call => {
  const { exchange, parameters } = call
  const { instrument } = exchange.marketOf(parameters.text('symbol'))
  const { history } = userOf(call)
  const success: bigint[] = []
  const failed: bigint[] = []
  for (const id of readIds(parameters)) {
    const order = history.byId(id)
    const isCancelable = order?.instrument === instrument && isOpen(order)
    if (isCancelable) exchange.cancel(order)
    ;(isCancelable ? success : failed).push(id)
  }
  return { success, failed }
}

/** `"[1,2]"`, `"1,2"` or a list, of numbers or of text. */
function readIds(parameters: RequestParameters): readonly bigint[] {
  const list = parameters.list('orderIds') ?? parameters.text('orderIds')?.split(',') ?? []
  if (list.length === 0) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'orderIds')
  if (list.length > MAX_BATCH) throw new ApiError('TOO_MANY_PARAMETERS', `at most ${MAX_BATCH} orderIds`)
  return list.map(id => orderIdOf(String(id).trim(), 'orderIds'))
}
