import type { Amount } from '../../domain/numbers/amount.ts'
import {
  type Grid,
  NO_STEPS,
  notionalOf,
  type Steps,
  steps,
  type Ticks,
  ticks,
} from '../../domain/numbers/grid.ts'
import { BoundedList } from '../bounded-list.ts'
import type { PublicTrade } from './print.ts'
import { SlidingExtreme } from './sliding-extreme.ts'

/** Summary of the trades between two moments. */
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

const DAY = 86_400_000

const ONE_TICK = ticks(1)

const ONE_STEP = steps(1)

/** Summary of the prints of the last 24 hours, updated once when a print enters and once when it leaves. */
export class DayWindow {
  readonly #prints = new BoundedList<PublicTrade>(Number.POSITIVE_INFINITY)
  readonly #highest = new SlidingExtreme('highest')
  readonly #lowest = new SlidingExtreme('lowest')
  #counted = 0
  #endsAt = Number.NEGATIVE_INFINITY
  #volume = 0
  /** In ticks × steps. */
  #worth = 0n

  /** Id of the latest print it has counted, 0 before the first. */
  get counted(): number {
    return this.#counted
  }

  /** The time of the latest summary, ms UTC: the window does not move back. */
  get endsAt(): number {
    return this.#endsAt
  }

  /** Takes on the next print. */
  add(print: PublicTrade): void {
    this.#prints.push(print)
    this.#highest.add(print)
    this.#lowest.add(print)
    this.#count(print, 1)
    this.#counted = print.id
  }

  /** The 24 hours before `now` (ms UTC, not before `endsAt`); `undefined` where they are empty. */
  summary(grid: Grid, now: number): TapeSummary | undefined {
    this.#endsAt = now
    this.#dropUntil(now - DAY)
    const [first, newest] = [this.#prints.oldest, this.#prints.newest]
    if (first === undefined || newest === undefined) return undefined
    return {
      time: first.time,
      open: first.price,
      high: this.#highest.price ?? newest.price,
      low: this.#lowest.price ?? newest.price,
      last: newest.price,
      volume: this.#volume === 0 ? NO_STEPS : steps(this.#volume),
      amount: (this.#worth * notionalOf(grid, ONE_TICK, ONE_STEP)) as Amount, // a whole number of amounts
    }
  }

  #dropUntil(time: number): void {
    for (let oldest = this.#prints.oldest; oldest !== undefined && oldest.time <= time; ) {
      this.#count(oldest, -1)
      this.#prints.dropOldest()
      this.#highest.dropUntil(oldest.id)
      this.#lowest.dropUntil(oldest.id)
      oldest = this.#prints.oldest
    }
  }

  #count({ price, quantity }: PublicTrade, sign: 1 | -1): void {
    this.#volume += sign * quantity
    this.#worth += BigInt(sign * price) * BigInt(quantity)
  }
}
