import type { EndpointKey } from '../../exchange/endpoints.ts'
import { parseExactJson } from '../protocol/json-text.ts'
import { type ExchangeRequest, splitTarget } from '../protocol/request-authentication.ts'
import { documentedContract } from './contract-names.ts'
import type { Dialect } from './dialect.ts'
import type { DocumentedCall } from './dialect-routes.ts'

type Fields = Readonly<Record<string, unknown>>

/** In front of a value that the documented exchange would know and this host does not. */
const UNKNOWN = 'unknown-'
const SPOT_ORDERS: readonly EndpointKey[] = ['spotNewOrder', 'spotTestOrder']
const PLAIN_TYPES: readonly unknown[] = ['LIMIT', 'MARKET']

/** A request to a host of a dialect as the documented exchange takes it; `target` is its target without the prefix, which is what is signed. */
export function documentedRequest(
  request: ExchangeRequest,
  target: string,
  call: DocumentedCall,
  dialect: Dialect,
): ExchangeRequest {
  const { query } = splitTarget(target)
  const change = (fields: Fields) => documentedFields(fields, call.key, dialect)
  return {
    ...request,
    target: `${call.path}${query === '' ? '' : `?${changedQuery(query, change)}`}`,
    body: changedBody(request.body, change),
    ...(dialect.ignoresVersionHeader && { headers: { ...request.headers, 'futures-version': '101' } }),
    signed: { target, body: request.body },
  }
}

/** The same fields where nothing is to be changed. */
function documentedFields(fields: Fields, key: EndpointKey, dialect: Dialect): Fields {
  const { contractPrefix, limitAndMarketOnly, marketOpensByValue } = dialect
  const changes: Record<string, string> = {}
  const { contractName, type } = fields
  if (contractPrefix !== undefined && typeof contractName === 'string') {
    changes.contractName = documentedContract(contractName, contractPrefix) ?? `${UNKNOWN}${contractName}`
  }
  if (limitAndMarketOnly && SPOT_ORDERS.includes(key) && !PLAIN_TYPES.includes(type)) {
    changes.type = `${UNKNOWN}${type}`
  }
  if (marketOpensByValue && key === 'futuresNewOrder' && type === 'MARKET' && fields.open === 'OPEN') {
    changes.orderUnit = '3'
  }
  return Object.keys(changes).length === 0 ? fields : { ...fields, ...changes }
}

function changedQuery(query: string, change: (fields: Fields) => Fields): string {
  const fields = Object.fromEntries(new URLSearchParams(query))
  const changed = change(fields)
  return changed === fields ? query : new URLSearchParams(changed as Record<string, string>).toString() // of text
}

/** A body that is not a JSON object stays as it is: the exchange refuses it. */
function changedBody(body: string, change: (fields: Fields) => Fields): string {
  if (body === '') return body
  try {
    const fields = parseExactJson(body)
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return body
    const changed = change(fields as Fields) // a JSON object
    return changed === fields ? body : JSON.stringify(changed)
  } catch (error) {
    if (error instanceof SyntaxError) return body
    throw error
  }
}
