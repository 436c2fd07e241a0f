import { ApiError } from '../protocol/api-error.ts'
import type { EndpointRow } from '../protocol/endpoint-row.ts'
import { afterRefusal, NO_OFFENDER, type Offender } from './ban.ts'
import type { LimitSettings } from './limit-settings.ts'
import { SlidingTotal } from './sliding-total.ts'

const MINUTE = 60_000

/**
 * Counts calls by address and by account, and refuses excess ones (interface sections 7.2 and 8). Times are
 * ms UTC.
 */
export class RateLimits {
  readonly #settings: LimitSettings
  readonly #totals = new Map<string, SlidingTotal>()
  readonly #offenders = new Map<string, Offender>()

  constructor(settings: LimitSettings) {
    this.#settings = settings
  }

  /** Counts a call for its address, with any key; throws `ApiError` (418 while it is banned, 429). */
  admitAddress(ip: string, weight: number, now: number): void {
    if (!this.#settings.areEnforced) return
    const { bannedUntil } = this.#offenders.get(ip) ?? NO_OFFENDER
    if (now < bannedUntil) throw new ApiError('BANNED', String(bannedUntil))
    this.#count(`ip ${ip}`, weight, this.#settings.ipWeightPerMinute, ip, now)
  }

  /** Counts a signed call for its account too; throws `ApiError` (418, 429). */
  admitUser(uid: number, ip: string, weight: number, now: number): void {
    if (!this.#settings.areEnforced) return
    this.#count(`uid ${uid}`, weight, this.#settings.uidWeightPerMinute, ip, now)
  }

  /** Counts a call for its endpoint, by account or (unsigned) by address; throws `ApiError` (410). */
  admitCall({ key, rateLimit }: Pick<EndpointRow, 'key' | 'rateLimit'>, caller: string, now: number): void {
    const { areEnforced, perEndpoint } = this.#settings
    if (!areEnforced || !perEndpoint || rateLimit === undefined) return
    const total = this.#totalOf(`${key} ${caller}`, rateLimit.perMs)
    if (total.at(now) >= rateLimit.calls) throw new ApiError('RATE_LIMIT', key)
    total.add(1, now)
  }

  /** A refused call does not count, so that waiting helps; but a client that goes on is banned. */
  #count(name: string, weight: number, limit: number, ip: string, now: number): void {
    const total = this.#totalOf(name, MINUTE)
    if (total.at(now) + weight <= limit) {
      total.add(weight, now)
      return
    }
    const before = this.#offenders.get(ip) ?? NO_OFFENDER
    const after = afterRefusal(before, this.#settings, now)
    this.#offenders.set(ip, after)
    if (after.bans !== before.bans || now < after.bannedUntil) {
      throw new ApiError('BANNED', String(after.bannedUntil))
    }
    throw new ApiError('TOO_MANY_REQUESTS', String(limit))
  }

  #totalOf(name: string, lengthMs: number): SlidingTotal {
    const known = this.#totals.get(name)
    if (known !== undefined) return known
    const opened = new SlidingTotal(lengthMs)
    this.#totals.set(name, opened)
    return opened
  }
}
