/** Weight that stopped counting at a moment of the past or the future. */
interface Settled {
  /** Last ms at which it still counts. */
  readonly until: number
  readonly weight: number
}

/** Forgotten entries are cut off once they are this many. */
const CUT_OFF = 1024

/**
 * At most `limit` weight in any stretch of `perMs` ms, wherever it begins. Nobody here knows when the exchange counts a
 * call, only that it lies between sending and answer: so a call counts from its sending until `perMs` after its end.
 * With `perMs` 0 only what is under way counts.
 */
export class SlidingWindow {
  readonly limit: number
  readonly #perMs: number
  #underWay = 0
  #settledWeight = 0
  /** In the order of `until`; before `#first` they no longer count. */
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

  /** When `weight` fits within `allowance`: now or earlier; a moment to come; or undefined while that hangs on calls under way. */
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

  /** A call leaves. */
  begin(weight: number): void {
    this.#underWay += weight
  }

  /** A call that had left is over: answered or given up. */
  settle(weight: number, now: number): void {
    this.#underWay -= weight
    if (this.#perMs === 0 || this.limit === Number.POSITIVE_INFINITY) return
    // Clocks show whole ms: what is shown as `perMs` later may be almost 1 ms less.
    this.#settled.push({ until: now + this.#perMs, weight })
    this.#settledWeight += weight
  }

  /** A call never left after all. */
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
