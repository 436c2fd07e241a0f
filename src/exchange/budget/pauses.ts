import type { Ban, BanStore } from './ban-store.ts'
import { nextBan } from './next-ban.ts'
import type { RateLimitBreach } from './rate-limit-breach.ts'

/** Why and until when calls stop. */
export interface Pause {
  /** As the end of a sentence. */
  readonly what: string
  /** ms UTC of the client's clock. */
  readonly until: number
}

/** A call as far as pauses go. */
export interface PausableCall {
  readonly endpoint: string
  /** Length of the endpoint's rate-limit window, ms. */
  readonly perMs: number
}

interface EndpointPause {
  readonly since: number
  readonly until: number
  readonly lengthMs: number
}

/** The documented weight limits are per minute: after this no window remembers anything. */
const WEIGHT_WINDOW_MS = 60_000
/** Two starts of a machine disagree by less about the time, ms, unless one of them was wrong. */
const USUAL_CLOCK_ERROR_MS = 60_000
const LONGEST_ENDPOINT_PAUSE_MS = 60_000

/**
 * What the exchange has told us to stop. 429: a weight budget is spent, so everything stops until the window has turned
 * (every call counts for the address, and the answer to a signed one does not say which budget it was). 418: everything,
 * until the ban ends. 410: that endpoint, for its window, doubling while it goes on.
 */
export class Pauses {
  readonly #store: BanStore
  readonly #endpoints = new Map<string, EndpointPause>()
  #ban: Ban | undefined
  #weightUntil = 0

  /** Begins at `now`, ms UTC of the client's clock, with the ban that the store remembers. */
  constructor(store: BanStore, now: number) {
    this.#store = store
    this.#ban = begunBy(store.load(), now)
  }

  /** The latest ban, over or not. */
  get ban(): Ban | undefined {
    return this.#ban
  }

  /** What stops the calls of an endpoint, given by its key, now. */
  on(endpoint: string, now: number): Pause | undefined {
    const { since = 0, until: bannedUntil = 0 } = this.#ban ?? {}
    if (bannedUntil > now) {
      const what = `the exchange has blocked this address since ${new Date(since).toISOString()} (HTTP 418)`
      return { what, until: bannedUntil }
    }
    const endpointUntil = this.#endpoints.get(endpoint)?.until ?? 0
    const until = Math.max(this.#weightUntil, endpointUntil)
    if (until <= now) return undefined
    const what =
      this.#weightUntil === until
        ? 'a weight limit is spent (HTTP 429)'
        : 'its rate limit is spent (HTTP 410)'
    return { what, until }
  }

  /**
   * Takes in a breach. A call that left before the ban or the endpoint's pause began adds nothing to it. Throws what the
   * store throws when it cannot remember a ban; the ban holds all the same.
   */
  add(call: PausableCall, { kind, until }: RateLimitBreach, sentAt: number, now: number): void {
    if (kind === 'ban') this.#addBan(until, sentAt, now)
    else if (kind === 'weight')
      this.#weightUntil = Math.max(this.#weightUntil, until ?? now + WEIGHT_WINDOW_MS + 1)
    else this.#pauseEndpoint(call, until, sentAt, now)
  }

  /** A call was answered: its endpoint works again. */
  clear(endpoint: string, sentAt: number): void {
    const pause = this.#endpoints.get(endpoint)
    if (pause !== undefined && sentAt >= pause.until) this.#endpoints.delete(endpoint)
  }

  #addBan(hinted: number | undefined, sentAt: number, now: number): void {
    if (this.#ban !== undefined && sentAt <= this.#ban.since) return
    this.#ban = nextBan(this.#ban, now, hinted)
    this.#store.save(this.#ban)
  }

  #pauseEndpoint(
    { endpoint, perMs }: PausableCall,
    hinted: number | undefined,
    sentAt: number,
    now: number,
  ): void {
    const previous = this.#endpoints.get(endpoint)
    if (previous !== undefined && sentAt <= previous.since) return
    const lengthMs =
      previous === undefined ? perMs : Math.min(LONGEST_ENDPOINT_PAUSE_MS, previous.lengthMs * 2)
    this.#endpoints.set(endpoint, { since: now, until: hinted ?? now + lengthMs + 1, lengthMs })
  }
}

/** A ban that begins in the future was noted by a clock that was ahead: it lasts from now on, as long as it was to last. */
function begunBy(ban: Ban | undefined, now: number): Ban | undefined {
  if (ban === undefined || ban.since <= now + USUAL_CLOCK_ERROR_MS) return ban
  return { ...ban, since: now, until: now + ban.until - ban.since }
}
