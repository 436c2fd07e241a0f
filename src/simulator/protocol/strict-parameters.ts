import { ApiError } from './api-error.ts'
import type { EndpointRow } from './endpoint-row.ts'
import type { RequestParameters } from './request-parameters.ts'

/** Parameters of every call, and of orders that have no use for them. */
const COMMON = ['recvwindow']

/**
 * Applies the rules of a strict exchange: refuses duplicate, unknown and empty parameters, and a price on an
 * order type without one; throws `ApiError`.
 */
export function checkStrictly(endpoint: EndpointRow, parameters: RequestParameters, query: string): void {
  const names = [...new URLSearchParams(query).keys()].map(name => name.toLowerCase())
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new ApiError('TOO_MANY_PARAMETERS', `'${twice}' was sent more than once`)
  const known = new Set([...Object.keys(endpoint.request.shape).map(name => name.toLowerCase()), ...COMMON])
  const sent = [...parameters.sent]
  const unknown = sent.filter(([name]) => !known.has(name)).map(([name]) => name)
  const [first] = unknown
  if (unknown.length === 1 && first !== undefined) throw new ApiError('UNKNOWN_PARAM', first)
  if (unknown.length > 1) {
    const counts = `read '${sent.length - unknown.length}' parameter(s) but was sent '${sent.length}'`
    throw new ApiError('UNREAD_PARAMETERS', counts)
  }
  const empty = sent.find(([, value]) => value === '')
  if (empty !== undefined) throw emptyParameter(empty[0])
  const isMarket = parameters.text('type')?.toUpperCase() === 'MARKET'
  if (isMarket && parameters.text('price') !== undefined) throw new ApiError('PARAM_NOT_REQUIRED', 'price')
}

function emptyParameter(name: string): ApiError {
  return name === 'newclientorderid' ? new ApiError('EMPTY_NEW_CL_ORD_ID') : new ApiError('PARAM_EMPTY', name)
}
