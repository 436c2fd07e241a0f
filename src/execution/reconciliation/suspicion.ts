import { LAG_MS } from './account-transactions.ts'

/** Looks that must find the same difference, and those if fills were booked since the first of them. */
const LOOKS = 2
const LOOKS_WHILE_TRADING = 3

/** The differences that were found last, until they are found often enough to be believed. */
export class Suspicion {
  /** As text. */
  #found = ''
  /** Time of the first look that found them, ms UTC, and `Ledger.changes` at it. */
  #at = 0
  #changes = 0
  /** Looks in a row that found them. */
  #looks = 0

  /**
   * True if the differences of a look (as text) were found long enough ago and often enough; an empty text needs no
   * second look. `at`: time of the look, ms UTC; `changes`: `Ledger.changes` at it.
   */
  isConfirmed(found: string, at: number, changes: number): boolean {
    if (found !== this.#found) {
      this.#found = found
      this.#at = at
      this.#changes = changes
      this.#looks = 0
    }
    this.#looks++
    const needed = changes === this.#changes ? LOOKS : LOOKS_WHILE_TRADING
    return found === '' || (this.#looks >= needed && at - this.#at >= LAG_MS)
  }
}
