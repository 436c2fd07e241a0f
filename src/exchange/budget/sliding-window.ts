/** Weight of ended calls, with the end of its counting. */
interface Settled {
  /** Last ms at which it still counts. */
  readonly until: number
  readonly weight: number
}

/** Number of expired entries after which they are removed. */
const CUT_OFF = 1024

/**
 * At most `limit` weight in any stretch of `perMs` ms. The exchange counts a call at an unknown time between
 * sending and answer, so a call counts from its sending until `perMs` after its end. With `perMs` 0 only
 * calls in flight count.
 */
export class SlidingWindow {
  readonly limit: number
  readonly #perMs: number
  #underWay = 0
  #settledWeight = 0
  /** Sorted by `until`; entries before `#first` have expired. */
  #settled: Settled[] = []
  #first = 0

  constructor(limit: number, perMs: number) {
    this.limit = limit
    this.#perMs = perMs
  }

  /** Weight that counts now. */
  used(now: number): number {
    this.#forget(now)
    return this.#underWay + this.#settledWeight
  }

  /**
   * Time at which `weight` fits within `allowance`, ms: `now`, a later time, or undefined while that depends
   * on calls in flight.
   */
  fitsAt(weight: number, allowance: number, now: number): number | undefined {
    let excess = this.used(now) + weight - allowance
    if (excess <= 0) return now
    for (let index = this.#first; index < this.#settled.length; index++) {
      const settled = this.#settled[index]
      if (settled === undefined) break
      excess -= settled.weight
      if (excess <= 0) return settled.until + 1
    }
    return undefined
  }

  /** Counts a call that is sent now. */
  begin(weight: number): void {
    this.#underWay += weight
  }

  /** Ends a call that was sent: answered or given up. */
  settle(weight: number, now: number): void {
    this.#underWay -= weight
    if (this.#perMs === 0 || this.limit === Number.POSITIVE_INFINITY) return
    // Clocks show whole ms, so `perMs` on the clock may be almost 1 ms less in fact.
    this.#settled.push({ until: now + this.#perMs, weight })
    this.#settledWeight += weight
  }

  /** Removes a call that was not sent after all. */
  giveBack(weight: number): void {
    this.#underWay -= weight
  }

  #forget(now: number): void {
    for (let oldest = this.#settled[this.#first]; oldest !== undefined && oldest.until < now; ) {
      this.#settledWeight -= oldest.weight
      oldest = this.#settled[++this.#first]
    }
    if (this.#first < CUT_OFF) return
    this.#settled = this.#settled.slice(this.#first)
    this.#first = 0
  }
}
