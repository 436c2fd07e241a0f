import { isFuturesPath } from './exchange-host.ts'
import type { ExchangeResponse } from './exchange-response.ts'
import { jsonText } from './json-text.ts'

/** Error code and HTTP status of a refusal. */
interface Refused {
  readonly code: number
  /** HTTP status. */
  readonly status: number
  readonly message: string
}

/** A gateway refuses these before anyone thinks of the body. */
const LIMIT_STATUSES: ReadonlySet<number> = new Set([410, 418, 429])
/**
 * Endpoints of the spot host that answer in an envelope with a text code (interface sections 4.3 and 7.3).
 */
const ENVELOPED = /^\/sapi\/v1\/(asset|withdraw)\//

/** The answer to a request for `path` that is refused; with `isOk`, by HTTP 200 where the request was understood. */
export function refusal({ code, status, message }: Refused, path: string, isOk: boolean): ExchangeResponse {
  const isUnderstood = status < 500 && !LIMIT_STATUSES.has(status)
  return { status: isOk && isUnderstood ? 200 : status, body: refusalText(code, message, path) }
}

/** As the futures interface does (supplement section 2), envelopes carry their codes as text. */
export function refusalText(code: number, msg: string, path: string): string {
  return jsonText(
    isFuturesPath(path) || ENVELOPED.test(path) ? { code: String(code), msg, data: null } : { code, msg },
  )
}
