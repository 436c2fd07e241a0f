import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { RateLimitedError } from '../../exchange/budget/rate-limited-error.ts'
import { isPage } from '../../exchange/call/answer.ts'
import { isNotOffered } from '../../exchange/errors/call-not-offered-error.ts'
import { ExchangeError } from '../../exchange/errors/exchange-error.ts'

/**
 * Longest total time that a start waits, ms: through error pages and HTTP 5xx of a firewall that asks for patience,
 * a restarting gateway, or an exchange that fails inside, and for the end of a rate limit or a ban.
 */
const START_PATIENCE_MS = 120_000
/** Bounds of the pause between two tries, ms; in between it equals the time since the first page. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [2000, 30_000]

/**
 * Lets the reads of a start be retried while a page of the network in front of the exchange comes instead of
 * its answers, or the exchange answers that it failed (HTTP 5xx, also in JSON), and as soon as a rate limit or a
 * ban ends, also one that an earlier process met. Once a bot trades, it retries every failed read by itself.
 */
export class StartPatience {
  readonly #clock: Pick<Clock, 'now'>
  readonly #log: Logger
  /** Time of the first of them, ms UTC. */
  #since: number | undefined
  #isOver = false

  constructor(clock: Pick<Clock, 'now'>, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  /** The start has completed or was given up. */
  end(): void {
    this.#isOver = true
  }

  /** After how many ms a read that failed is tried again; see `Patience`. */
  readonly pauseAfter = (error: unknown): number | undefined => {
    // A call that the host does not have is not there two minutes later.
    if (this.#isOver || !isPassing(error) || isNotOffered(error)) return undefined
    const now = this.#clock.now()
    this.#since ??= now
    const until = this.#since + START_PATIENCE_MS
    if (now >= until || (error instanceof RateLimitedError && error.until > until)) return undefined
    this.#log.warn({ reason: error.message, until: utcText(until) }, 'the start waits for the exchange')
    if (error instanceof RateLimitedError) return error.until - now
    const passed = now - this.#since
    return Math.min(until - now, LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, passed))
  }
}

function isPassing(error: unknown): error is Error {
  return (
    error instanceof RateLimitedError ||
    isPage(error) ||
    (error instanceof ExchangeError && error.httpStatus >= 500)
  )
}
