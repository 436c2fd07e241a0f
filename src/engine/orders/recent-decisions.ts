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
  /** In the order of their times. */
  #all: Decision[] = []

  /** The decision at `time`, ms UTC; that of the latest time where so old ones are forgotten. */
  at(time: number, klines: number): Decision {
    const all = this.#all
    const newest = all.at(-1)
    if (newest === undefined || !(time <= newest.time)) return this.#insert(all.length, time, klines)
    const place = all.findLastIndex(decision => decision.time <= time)
    const before = all[place]
    if (before?.time === time) return before
    if (before === undefined && all.length === REMEMBERED) return newest
    return this.#insert(place + 1, time, klines)
  }

  /** The remembered decision of a time, ms UTC. */
  find(time: number): Decision | undefined {
    return this.#all.findLast(decision => decision.time === time)
  }

  /** All but one, oldest first. */
  snapshot(but: Decision): readonly Decision[] {
    return this.#all.filter(decision => decision !== but).map(decision => ({ ...decision }))
  }

  /** Restores a snapshot, with the decision that it left out. */
  restore(decisions: readonly Decision[], but: Decision): void {
    const all = [...decisions.map(decision => ({ ...decision })), but]
    // Before the first decision there is one without a time.
    this.#all = all.filter(({ time }) => !Number.isNaN(time)).sort((left, right) => left.time - right.time)
  }

  #insert(place: number, time: number, klines: number): Decision {
    const decision = { time, klines, orders: 0 }
    if (place === this.#all.length) this.#all.push(decision)
    else this.#all.splice(place, 0, decision)
    if (this.#all.length > REMEMBERED) this.#all.shift()
    return decision
  }
}
