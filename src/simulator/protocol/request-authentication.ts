import { createHmac } from 'node:crypto'
import { ApiError } from './api-error.ts'
import type { ExchangeHost } from './exchange-host.ts'

/** A request as received. */
export interface ExchangeRequest {
  /** Upper case. */
  readonly method: string
  /** Raw request target: path, and the query as it was sent. */
  readonly target: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Raw text; empty if there is none. */
  readonly body: string
  /** Address of the client. Default: this machine's own. */
  readonly ip?: string
  /** The host that received it; absent for a server that is both. */
  readonly host?: ExchangeHost
  /** The text that the client signed, where an edge has changed the request since. */
  readonly signed?: { readonly target: string; readonly body: string }
}

/** Interface section 5.6, ms. */
const LARGEST_LEAD = 1000

/** The path and the raw query of a request target; an empty query is no query. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?')
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** The API key of a signed request; throws `ApiError` if a header is missing. */
export function apiKeyOf({ headers }: ExchangeRequest): string {
  if (!headers['x-ch-apikey']) throw new ApiError('UNAUTHORIZED')
  if (!headers['x-ch-ts']) throw new ApiError('UNTIMESTAMP')
  if (!headers['x-ch-sign']) throw new ApiError('UNSIGNATURE')
  return headers['x-ch-apikey']
}

/** Checks that the timestamp (interface section 5.6) is at most `recvWindow` ms old, against the server's time `now`, ms UTC; throws `ApiError` outside the window. */
export function checkTimestamp({ headers }: ExchangeRequest, recvWindow: number, now: number): void {
  const text = headers['x-ch-ts'] ?? ''
  const timestamp = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  const inWindow = timestamp < now + LARGEST_LEAD && now - timestamp <= recvWindow
  if (!inWindow) throw new ApiError('INVALID_TIMESTAMP')
}

/** Checks the signature (interface section 5.5) over the raw bytes of the request; throws `ApiError` if it is wrong. */
export function checkSignature(request: ExchangeRequest, secret: string): void {
  const { method, headers, signed: { target, body } = request } = request
  const { path, query } = splitTarget(target)
  const text = `${headers['x-ch-ts']}${method}${path}${query === '' ? '' : `?${query}`}${body}`
  const expected = createHmac('sha256', secret).update(text).digest('hex')
  if (headers['x-ch-sign']?.toLowerCase() !== expected) throw new ApiError('INVALID_SIGNATURE')
}
