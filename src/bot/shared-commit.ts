/** So many decisions wait for each other at most; the disk, for which one commit waits, takes about as long as four of them. */
const MOST_TICKS = 4

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * One wait for the disk for all requests that are noted together: those of one decision, and those of decisions that follow
 * each other tick after tick. Then they leave in order, each with the operating system before the next is made.
 */
export class SharedCommit {
  readonly #commit: () => void
  #waiting: Waiting[] = []
  #isUnderWay = false

  /** `commit` puts everything noted so far on the disk; what it throws keeps all requests back that wait for it. */
  constructor(commit: () => void) {
    this.#commit = commit
  }

  /** Resolves once everything noted so far is on the disk and those that asked before have left. */
  join(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      if (this.#isUnderWay) return
      this.#isUnderWay = true
      this.#waitForMore(0, 0)
    })
  }

  #waitForMore(known: number, ticks: number): void {
    process.nextTick(() => {
      const { length } = this.#waiting
      if (length > known && ticks < MOST_TICKS) this.#waitForMore(length, ticks + 1)
      else void this.#leave()
    })
  }

  async #leave(): Promise<void> {
    const together = this.#waiting
    this.#waiting = []
    try {
      this.#commit()
      for (const { resolve } of together) {
        resolve()
        await bytesAreOut()
      }
    } catch (error) {
      for (const { reject } of together) reject(error)
    }
    this.#isUnderWay = this.#waiting.length > 0
    if (this.#isUnderWay) this.#waitForMore(0, 0)
  }
}

/** What follows from a promise comes before the tick after it, and what it writes to a socket before the promise of that tick is. */
function bytesAreOut(): Promise<void> {
  return new Promise(next => queueMicrotask(() => process.nextTick(next)))
}
