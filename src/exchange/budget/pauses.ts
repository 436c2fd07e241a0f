import type { Ban, BlockStore, WeightStop } from './block-store.ts'
import { nextBan } from './next-ban.ts'
import type { RateLimitBreach } from './rate-limit-breach.ts'

/** Reason and end of a stop of calls. */
export interface Pause {
  /** Reason, worded as the end of a sentence. */
  readonly what: string
  /** ms UTC of the client's clock. */
  readonly until: number
}

/** Properties of a call that pauses depend on. */
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

/** The documented weight limits are per minute, so after this time every window is empty. */
const WEIGHT_WINDOW_MS = 60_000
/** Clocks of two starts of a machine differ by less, ms, unless one of them was wrong. */
const USUAL_CLOCK_ERROR_MS = 60_000
const LONGEST_ENDPOINT_PAUSE_MS = 60_000

/**
 * Stops of calls that the exchange demanded. 429: a weight budget is used up, so all calls stop for one
 * window (every call counts for the IP address, and the answer to a signed call does not name the budget).
 * 418: all calls stop until the ban ends. 410: that endpoint stops for its window, doubled while the breaches
 * go on.
 */
export class Pauses {
  readonly #store: BlockStore
  readonly #endpoints = new Map<string, EndpointPause>()
  #ban: Ban | undefined
  #weight: WeightStop | undefined

  /** Starts at `now`, ms UTC of the client's clock, with the stored blocks. */
  constructor(store: BlockStore, now: number) {
    this.#store = store
    const { ban, weight } = store.load()
    this.#ban = begunBy(ban, now)
    this.#weight = begunBy(weight, now)
  }

  /** The latest ban, also after it has ended. */
  get ban(): Ban | undefined {
    return this.#ban
  }

  /** Pause that stops calls of the endpoint (by key) now. */
  on(endpoint: string, now: number): Pause | undefined {
    const bannedUntil = this.#ban?.until ?? 0
    // Without its begin: that is of the client's clock, and the end may be told by that of the exchange.
    if (bannedUntil > now)
      return { what: 'the exchange has blocked this address (HTTP 418)', until: bannedUntil }
    const endpointUntil = this.#endpoints.get(endpoint)?.until ?? 0
    const weightUntil = this.#weight?.until ?? 0
    const until = Math.max(weightUntil, endpointUntil)
    if (until <= now) return undefined
    const what =
      weightUntil === until ? 'a weight limit is used up (HTTP 429)' : 'its rate limit is used up (HTTP 410)'
    return { what, until }
  }

  /**
   * Records a breach. A call sent before the start of the ban or of the endpoint's pause does not extend it.
   * Throws the store's error if a ban or a stop by weight cannot be stored; it still holds.
   */
  add(call: PausableCall, { kind, until }: RateLimitBreach, sentAt: number, now: number): void {
    if (kind === 'ban') this.#addBan(until, sentAt, now)
    else if (kind === 'weight') this.#stopByWeight(until ?? now + WEIGHT_WINDOW_MS + 1, now)
    else this.#pauseEndpoint(call, until, sentAt, now)
  }

  /** Forgets the endpoint's pause after an answer to a call sent after its end; the next pause is short again. */
  clear(endpoint: string, sentAt: number): void {
    const pause = this.#endpoints.get(endpoint)
    if (pause !== undefined && sentAt >= pause.until) this.#endpoints.delete(endpoint)
  }

  #addBan(hinted: number | undefined, sentAt: number, now: number): void {
    if (this.#ban !== undefined && sentAt <= this.#ban.since) return
    this.#ban = nextBan(this.#ban, now, hinted)
    this.#store.save({ ban: this.#ban })
  }

  #stopByWeight(until: number, now: number): void {
    if (until <= (this.#weight?.until ?? 0)) return
    this.#weight = { since: now, until }
    this.#store.save({ weight: this.#weight })
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

/**
 * A block that begins in the future was stored by a clock that was ahead: it begins now and keeps its length.
 */
function begunBy<B extends WeightStop>(block: B | undefined, now: number): B | undefined {
  if (block === undefined || block.since <= now + USUAL_CLOCK_ERROR_MS) return block
  return { ...block, since: now, until: now + block.until - block.since }
}
