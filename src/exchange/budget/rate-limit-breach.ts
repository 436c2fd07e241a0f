import { ExchangeError } from '../errors/exchange-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import { LONGEST_BAN_MS } from './next-ban.ts'

/** Rate limit that an answer reports as broken (interface section 7.2). */
export interface RateLimitBreach {
  /**
   * `weight`: 429, a weight limit; `ban`: 418, our IP address is blocked; `endpoint`: 410, the rate limit of
   * one endpoint.
   */
  readonly kind: 'weight' | 'ban' | 'endpoint'
  /** End of the stop, ms of server time; `undefined` if the exchange does not give it. */
  readonly until: number | undefined
}

const KINDS: ReadonlyMap<number, RateLimitBreach['kind']> = new Map([
  [410, 'endpoint'],
  [418, 'ban'],
  [429, 'weight'],
])

/** TOO_MANY_REQUESTS, which some hosts send with another HTTP status. */
const TOO_MANY_REQUESTS = -1003

/**
 * Rate limit that a failed call broke; `undefined` if it failed for another reason. `now` is server time, ms
 * UTC.
 */
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

/** End of the wait by the Retry-After header (RFC 9110: seconds or a date), ms UTC. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  return credible(/^\d+$/.test(header.trim()) ? now + Number(header) * 1000 : Date.parse(header), now)
}

/** The first future time that a message names, in ms or s UTC. */
function momentIn(reason: string, now: number): number | undefined {
  return (reason.match(/\b(\d{13}|\d{10})\b/g) ?? [])
    .map(digits => credible(digits.length === 10 ? Number(digits) * 1000 : Number(digits), now))
    .find(until => until !== undefined)
}

/** A time further ahead than the longest ban is not credible. */
function credible(until: number, now: number): number | undefined {
  return until > now && until <= now + LONGEST_BAN_MS ? until : undefined
}
