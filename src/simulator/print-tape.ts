import type { Amount } from '../domain/amount.ts'
import { type Grid, notionalOf, type Steps, steps, type Ticks } from '../domain/grid.ts'
import { BoundedList } from './bounded-list.ts'
import type { Print } from './print.ts'

/** A print with its public trade id. */
export interface PublicTrade extends Print {
  readonly id: number
}

/** What happened between two moments. */
export interface TapeSummary {
  /** Time of the first print counted, ms UTC. */
  readonly time: number
  readonly open: Ticks
  readonly high: Ticks
  readonly low: Ticks
  readonly last: Ticks
  /** Base. */
  readonly volume: Steps
  /** Quote. */
  readonly amount: Amount
}

/** As many trades as one call may ask for. */
const LEAST_KEPT = 1000
/** The longest window anyone asks about. */
const WINDOW = 86_400_000

/** The latest prints: those of the last 24 hours, and at least 1000. */
export class PrintTape {
  readonly #prints = new BoundedList<PublicTrade>(Number.POSITIVE_INFINITY)
  #count = 0

  /** How many prints there have ever been. */
  get count(): number {
    return this.#count
  }

  /** How many prints are remembered. */
  get size(): number {
    return this.#prints.size
  }

  /** The latest print. */
  get newest(): PublicTrade | undefined {
    return this.#prints.newest
  }

  /** Appends the next print. */
  record(print: Print): void {
    this.#prints.push({ ...print, id: ++this.#count })
    while (this.#prints.size > LEAST_KEPT && (this.#prints.oldest?.time ?? 0) <= print.time - WINDOW) {
      this.#prints.dropOldest()
    }
  }

  /** The latest trades, newest first; a print without volume is none. */
  *trades(): Generator<PublicTrade> {
    for (const print of this.#prints.newestFirst()) if (print.quantity > 0) yield print
  }

  /** Sums up the 24 hours before `now` (ms UTC); where they are empty, the latest print counts as a price without volume. */
  lastDay(grid: Grid, now: number): TapeSummary | undefined {
    const newest = this.newest
    if (newest === undefined) return undefined
    let [first, high, low, volume, amount] = [newest, newest.price, newest.price, 0, 0n]
    for (const print of this.#prints.newestFirst()) {
      if (print.time <= now - WINDOW) break
      first = print
      if (print.price > high) high = print.price
      if (print.price < low) low = print.price
      volume += print.quantity
      amount += notionalOf(grid, print.price, print.quantity)
    }
    // A sum of amounts is an amount.
    return {
      time: first.time,
      open: first.price,
      high,
      low,
      last: newest.price,
      volume: steps(volume),
      amount: amount as Amount,
    }
  }
}
