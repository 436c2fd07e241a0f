import { RateLimitedError } from '../../exchange/budget/rate-limited-error.ts'

/** Mean pause after a first failure, ms; doubled with each further one. */
const FIRST_PAUSE_MS = 500

/** Pauses after failures: doubled each time, with ±50% jitter, and no shorter than the exchange demands. */
export class Backoff {
  /** From 0 up to 1. */
  readonly #random: () => number
  readonly #longestMs: number
  #failures = 0
  #until = Number.NEGATIVE_INFINITY

  /** `longestMs`: mean of the longest pauses. */
  constructor(random: () => number, longestMs: number) {
    this.#random = random
    this.#longestMs = longestMs
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures
  }

  /** Earliest time of the next attempt, ms UTC. */
  get until(): number {
    return this.#until
  }

  /** Resets the pause after a success. */
  succeeded(): void {
    this.#failures = 0
    this.#until = Number.NEGATIVE_INFINITY
  }

  /** Starts a pause after a failure at `now`, ms UTC. Jitter of ±50%, so that polls do not retry in step. */
  failed(error: unknown, now: number): void {
    const middle = Math.min(this.#longestMs, FIRST_PAUSE_MS * 2 ** this.#failures++)
    const pauseUntil = now + Math.round(middle * (0.5 + this.#random()))
    this.#until = error instanceof RateLimitedError ? Math.max(pauseUntil, error.until) : pauseUntil
  }
}
