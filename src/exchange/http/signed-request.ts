import type { Endpoint, Host, RequestFields } from '../endpoints/endpoint.ts'
import { InvalidCallError } from '../errors/invalid-call-error.ts'
import type { Credentials } from './credentials.ts'
import { requestTarget } from './request-target.ts'
import type { HttpRequest } from './transport.ts'

/** Settings that all requests share. */
export interface RequestSettings {
  /** URL before the signed path of every call, by host. */
  readonly baseUrls: Readonly<Partial<Record<Host, string>>>
  readonly credentials: Credentials | undefined
  readonly timeoutMs: number
}

const UNSIGNED_HEADERS = { 'Content-Type': 'application/json' } as const

/** Throws `InvalidCallError` if the client lacks the host or the key that an endpoint needs. */
export function assertCallable(endpoint: Endpoint, { baseUrls, credentials }: RequestSettings): void {
  const { key, host, section, security } = endpoint
  if (baseUrls[host] === undefined) {
    throw new InvalidCallError(key, `the ${host} URL`, 'must be given to the client', section)
  }
  if (security !== 'NONE' && credentials === undefined) {
    throw new InvalidCallError(key, 'apiKey', 'and apiSecret must be given to the client', '5')
  }
}

/** Request of a call, with exactly the text that is signed. */
export function signedRequest(
  endpoint: Endpoint,
  fields: RequestFields,
  timestamp: number,
  { baseUrls, credentials, timeoutMs }: RequestSettings,
): HttpRequest {
  const { method, host, security, path, headers } = endpoint
  const { requestPath, body } = requestTarget(method, path, fields)
  const signed = security === 'NONE' ? undefined : credentials
  const general = signed?.headersFor({ timestamp, method, requestPath, body }) ?? UNSIGNED_HEADERS
  return {
    method,
    url: `${baseUrls[host]}${requestPath}`,
    headers: headers === undefined ? general : { ...general, ...headers },
    body,
    timeoutMs,
  }
}
