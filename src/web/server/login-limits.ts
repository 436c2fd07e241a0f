/** Failed logins of an address before it has to wait. */
const FREE_FAILURES = 5
/** First wait, ms; each further failure doubles it. */
const FIRST_WAIT_MS = 1000
/** Longest wait, ms. */
const LONGEST_WAIT_MS = 15 * 60_000
/** Time for which failures count after the last of them, ms. */
const FORGOTTEN_MS = 60 * 60_000
/** Addresses that are remembered; beyond it the one that failed longest ago is forgotten. */
const MOST_ADDRESSES = 1000

interface Failures {
  count: number
  at: number
}

/** Makes whoever guesses passwords wait, for ever longer: by address, and all addresses of a moment together. */
export class LoginLimits {
  readonly #now: () => number
  readonly #failures = new Map<string, Failures>()
  #isBusy = false

  /** `now` is in ms and never goes back. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Time that an address must still wait before its next try, ms; 0 if it need not. */
  waitOf(address: string): number {
    const failed = this.#failures.get(address)
    if (failed === undefined || failed.count < FREE_FAILURES) return 0
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failed.count - FREE_FAILURES))
    return Math.max(0, failed.at + wait - this.#now())
  }

  /** Runs one try of an address; `undefined` if another is being checked, because each costs memory and time. */
  async attempt(address: string, check: () => Promise<boolean>): Promise<boolean | undefined> {
    if (this.#isBusy) return undefined
    this.#isBusy = true
    try {
      const isRight = await check()
      if (isRight) this.#failures.delete(address)
      else this.#noteFailure(address)
      return isRight
    } finally {
      this.#isBusy = false
    }
  }

  #noteFailure(address: string): void {
    const now = this.#now()
    const before = this.#failures.get(address)
    const count = before === undefined || now - before.at > FORGOTTEN_MS ? 0 : before.count
    // Entries are in the order of their last failure.
    this.#failures.delete(address)
    this.#failures.set(address, { count: count + 1, at: now })
    const oldest = this.#failures.keys().next().value
    if (this.#failures.size > MOST_ADDRESSES && oldest !== undefined) this.#failures.delete(oldest)
  }
}
