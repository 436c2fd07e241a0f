import { Decimal } from '../domain/decimal.ts'
import type { RequestFields } from './endpoint.ts'

/** Where a request goes and what it carries: exactly the text that is signed and sent. */
export interface RequestTarget {
  /** Path, and `?query` where there is one. */
  readonly requestPath: string
  /** JSON of a POST, empty for a GET. */
  readonly body: string
}

/** Puts checked parameters into the query of a GET or the JSON body of a POST; `undefined` ones are left out. */
export function requestTarget(method: 'GET' | 'POST', path: string, fields: RequestFields): RequestTarget {
  if (method === 'POST') return { requestPath: path, body: jsonObject(fields) }
  const query = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(plainText(value))}`)
  return { requestPath: query.length === 0 ? path : `${path}?${query.join('&')}`, body: '' }
}

/** A decimal becomes a JSON number with exactly its digits, never by way of a float, at any depth. */
function jsonText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Decimal.isDecimal(value)) return value.toFixed()
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  return typeof value === 'object' && value !== null ? jsonObject(value) : JSON.stringify(value)
}

function jsonObject(fields: object): string {
  let members = ''
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${jsonText(value)}`
  }
  return `{${members}}`
}

function plainText(value: unknown): string {
  return Decimal.isDecimal(value) ? value.toFixed() : String(value)
}
