import { ExchangeError } from '../errors/exchange-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import { LONGEST_BAN_MS } from './next-ban.ts'

/** What an answer says that we broke (interface section 7.2). */
export interface RateLimitBreach {
  /** `weight`: 429, a weight limit; `ban`: 418, our address is blocked; `endpoint`: 410, the rate limit of one endpoint. */
  readonly kind: 'weight' | 'ban' | 'endpoint'
  /** When the exchange will listen again, ms of server time, where it says so. */
  readonly until: number | undefined
}

const KINDS: ReadonlyMap<number, RateLimitBreach['kind']> = new Map([
  [410, 'endpoint'],
  [418, 'ban'],
  [429, 'weight'],
])

/** TOO_MANY_REQUESTS, which some hosts send with an ordinary status. */
const TOO_MANY_REQUESTS = -1003

/** What a failed call says about our limits; `undefined` where it failed for another reason. `now` is server time, ms UTC. */
export function rateLimitBreach(
  error: unknown,
  response: HttpResponse | undefined,
  now: number,
): RateLimitBreach | undefined {
  if (!(error instanceof ExchangeError)) return undefined
  const byCode = error.exchangeCode === TOO_MANY_REQUESTS && error.httpStatus < 500 ? 'weight' : undefined
  const kind = KINDS.get(error.httpStatus) ?? byCode
  if (kind === undefined) return undefined
  return { kind, until: retryAfter(response?.retryAfter, now) ?? momentIn(error.reason, now) }
}

/** RFC 9110: seconds, or a date. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  return credible(/^\d+$/.test(header.trim()) ? now + Number(header) * 1000 : Date.parse(header), now)
}

/** The first moment to come, in ms or s UTC, that a message names. */
function momentIn(reason: string, now: number): number | undefined {
  return (reason.match(/\b(\d{13}|\d{10})\b/g) ?? [])
    .map(digits => credible(digits.length === 10 ? Number(digits) * 1000 : Number(digits), now))
    .find(until => until !== undefined)
}

/** Nothing stops for longer than the longest ban. */
function credible(until: number, now: number): number | undefined {
  return until > now && until <= now + LONGEST_BAN_MS ? until : undefined
}
