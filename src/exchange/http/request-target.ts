import { Decimal } from '../../domain/numbers/decimal.ts'
import type { RequestFields } from '../endpoints/endpoint.ts'

const MEMBER_NAMES = new Map<string, string>()

const [SPACE, QUOTE, BACKSLASH, TILDE] = [0x20, 0x22, 0x5c, 0x7e]

/** Path and body of a request: exactly the text that is signed and sent. */
export interface RequestTarget {
  /** Path, with `?query` if there is one. */
  readonly requestPath: string
  /** JSON of a POST, empty for a GET. */
  readonly body: string
}

/**
 * Query of a GET or JSON body of a POST from checked parameters, without `undefined` and empty ones, which
 * mean the same.
 */
export function requestTarget(method: 'GET' | 'POST', path: string, fields: RequestFields): RequestTarget {
  if (method === 'POST') return { requestPath: path, body: jsonObject(fields) }
  const query = Object.entries(fields)
    .filter(([, value]) => isGiven(value))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(plainText(value))}`)
  return { requestPath: query.length === 0 ? path : `${path}?${query.join('&')}`, body: '' }
}

/** JSON text in which a decimal keeps exactly its digits, never as a float, at any depth. */
function jsonText(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Decimal.isDecimal(value)) return value.toFixed()
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  return isFields(value) ? jsonObject(value) : JSON.stringify(value)
}

function jsonObject(fields: RequestFields): string {
  let members = ''
  for (const name in fields) {
    const value = fields[name]
    if (!isGiven(value)) continue
    members += (members === '' ? '' : ',') + memberName(name) + jsonText(value)
  }
  return `{${members}}`
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== ''
}

/** `"name":`, cached: the names are those of the endpoint table. */
function memberName(name: string): string {
  const known = MEMBER_NAMES.get(name)
  if (known !== undefined) return known
  const text = `${JSON.stringify(name)}:`
  MEMBER_NAMES.set(name, text)
  return text
}

function isFields(value: unknown): value is RequestFields {
  return typeof value === 'object' && value !== null
}

/** Quotes text; most text needs no escapes. */
function quoted(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH) return JSON.stringify(text)
  }
  return `"${text}"`
}

function plainText(value: unknown): string {
  return Decimal.isDecimal(value) ? value.toFixed() : String(value)
}
