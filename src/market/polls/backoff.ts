import { RateLimitedError } from '../../exchange/budget/rate-limited-error.ts'

/** The middle of the pause after a first failure; it doubles with each further one. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/** How long something that fails is left alone: twice as long each time, spread by chance, and no shorter than the exchange asks for. */
export class Backoff {
  /** From 0 up to 1. */
  readonly #random: () => number
  #failures = 0
  #until = Number.NEGATIVE_INFINITY

  constructor(random: () => number) {
    this.#random = random
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures
  }

  /** Before this nothing should be tried, ms UTC. */
  get until(): number {
    return this.#until
  }

  /** It worked. */
  succeeded(): void {
    this.#failures = 0
    this.#until = Number.NEGATIVE_INFINITY
  }

  /** It failed at `now`, ms UTC. Pauses are spread over half to one and a half of their length, so that polls that failed together do not return together. */
  failed(error: unknown, now: number): void {
    const middle = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++)
    const pauseUntil = now + Math.round(middle * (0.5 + this.#random()))
    this.#until = error instanceof RateLimitedError ? Math.max(pauseUntil, error.until) : pauseUntil
  }
}
