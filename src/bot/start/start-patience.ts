import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { isPage } from '../../exchange/call/answer.ts'

/** A start outlasts pages for so long in all, ms: a firewall that asks for patience, or a gateway that restarts. */
const START_PATIENCE_MS = 120_000
/** Bounds of the pause between two tries, ms; in between it is as long as pages have come for. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [2000, 30_000]

/**
 * Lets the reads of a start be tried again while a page of the network in front of the exchange comes instead of its
 * answers. Once a bot trades, it goes on after any failed read by itself.
 */
export class StartPatience {
  readonly #clock: Pick<Clock, 'now'>
  readonly #log: Logger
  /** When the first page came, ms UTC. */
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
    if (this.#isOver || !(error instanceof Error) || !isPage(error)) return undefined
    const now = this.#clock.now()
    this.#since ??= now
    const until = this.#since + START_PATIENCE_MS
    if (now >= until) return undefined
    this.#log.warn({ reason: error.message, until: utcText(until) }, 'the start waits for the exchange')
    const passed = now - this.#since
    return Math.min(until - now, LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, passed))
  }
}
