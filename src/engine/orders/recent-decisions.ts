/** A moment of decision and its number of orders so far: the source of clientOrderIds. */
export interface Decision {
  /** Market time, ms UTC. */
  readonly time: number
  /** Klines closed by then, from which a time to live counts. */
  readonly klines: number
  orders: number
}

/** Number of decisions to which a kline may come late. */
const REMEMBERED = 32

/**
 * The latest decisions, one for each time. A kline that is shown after later events goes on with the decision of its time, so that
 * no two orders share time and number.
 */
export class RecentDecisions {
  /** As a ring, because most decisions are at a later time than all before. */
  #ring: Decision[] = []
  /** Place of the oldest once the ring is full, which the next decision takes. */
  #next = 0
  #newest: Decision | undefined

  /** The decision at `time`, ms UTC; that of the latest time where so old ones are forgotten. */
  at(time: number, klines: number): Decision {
    const newest = this.#newest
    if (newest !== undefined && time <= newest.time) return this.#goBack(time, klines, newest)
    const decision = { time, klines, orders: 0 }
    this.#ring[this.#next] = decision
    this.#next = this.#next + 1 === REMEMBERED ? 0 : this.#next + 1
    this.#newest = decision
    return decision
  }

  /** The remembered decision of a time, ms UTC. */
  find(time: number): Decision | undefined {
    return this.#ring.find(decision => decision.time === time)
  }

  /** All but one, oldest first. */
  snapshot(but: Decision): readonly Decision[] {
    return this.#inOrder.filter(decision => decision !== but).map(decision => ({ ...decision }))
  }

  /** Restores a snapshot, with the decision that it left out. */
  restore(decisions: readonly Decision[], but: Decision): void {
    const all = [...decisions.map(decision => ({ ...decision })), but]
    // Before the first decision there is one without a time.
    this.#take(all.filter(({ time }) => !Number.isNaN(time)).sort((left, right) => left.time - right.time))
  }

  #goBack(time: number, klines: number, newest: Decision): Decision {
    const known = this.find(time)
    if (known !== undefined) return known
    const all = this.#inOrder
    const place = all.findIndex(decision => decision.time > time)
    if (place === 0 && all.length === REMEMBERED) return newest
    const decision = { time, klines, orders: 0 }
    this.#take(all.toSpliced(place, 0, decision).slice(-REMEMBERED))
    return decision
  }

  /** Oldest first. */
  get #inOrder(): readonly Decision[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)]
  }

  #take(inOrder: readonly Decision[]): void {
    this.#ring = [...inOrder]
    this.#next = inOrder.length % REMEMBERED
    this.#newest = inOrder.at(-1)
  }
}
