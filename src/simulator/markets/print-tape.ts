import { ZERO } from '../../domain/numbers/amount.ts'
import { type Grid, NO_STEPS, steps, ticks } from '../../domain/numbers/grid.ts'
import { BoundedList } from '../bounded-list.ts'
import { DayWindow, type TapeSummary } from '../prices/day-window.ts'
import type { Print, PublicTrade } from '../prices/print.ts'

/** A tape as plain data. */
export interface PrintTapeState {
  /** Oldest first, four numbers each: time, price, quantity, and 1 where the taker bought or 0. */
  readonly prints: Float64Array
  readonly count: number
}

const PRINT_NUMBERS = 4

/** Largest number of trades in one call. */
const LEAST_KEPT = 1000

/** Longest window of a read, ms. */
const WINDOW = 86_400_000

/** The latest prints: those of the last 24 hours, or another span, and at least 1000. */
export class PrintTape {
  readonly #prints = new BoundedList<PublicTrade>(Number.POSITIVE_INFINITY)
  readonly #keptMs: number
  #window = new DayWindow()
  #count = 0

  /** Keeps the prints of the last `keptMs`, but at least 1000. */
  constructor(keptMs = WINDOW) {
    this.#keptMs = keptMs
  }

  get count(): number {
    return this.#count
  }

  /** Number of stored prints. */
  get size(): number {
    return this.#prints.size
  }

  /** The latest print. */
  get newest(): PublicTrade | undefined {
    return this.#prints.newest
  }

  /** Appends the next print. */
  record(print: Print): void {
    const { time, price, quantity, side } = print
    this.#prints.push({ time, price, quantity, side, id: ++this.#count })
    while (this.#prints.size > LEAST_KEPT && (this.#prints.oldest?.time ?? 0) <= print.time - this.#keptMs) {
      this.#prints.dropOldest()
    }
  }

  /** All of it, as plain data. */
  dump(): PrintTapeState {
    const prints = new Float64Array(this.#prints.size * PRINT_NUMBERS)
    let at = 0
    for (const { time, price, quantity, side } of this.#prints.oldestFirst()) {
      prints.set([time, price, quantity, side === 'buy' ? 1 : 0], at)
      at += PRINT_NUMBERS
    }
    return { prints, count: this.#count }
  }

  /** Restores a dump. */
  restore({ prints, count }: PrintTapeState): void {
    const first = count - prints.length / PRINT_NUMBERS + 1
    this.#prints.restore(printsIn(prints, first))
    this.#window = new DayWindow()
    this.#count = count
  }

  /** Stored prints, oldest first. */
  oldestFirst(): Generator<PublicTrade> {
    return this.#prints.oldestFirst()
  }

  /** The latest trades, newest first; a print without volume is none. */
  *trades(): Generator<PublicTrade> {
    for (const print of this.#prints.newestFirst()) if (print.quantity > 0) yield print
  }

  /**
   * Summary of the 24 hours before `now` (ms UTC); if they are empty, the latest print counts as a price
   * without volume.
   */
  lastDay(grid: Grid, now: number): TapeSummary | undefined {
    const newest = this.newest
    if (newest === undefined) return undefined
    const { time, price } = newest
    const nothing = { open: price, high: price, low: price, last: price, volume: NO_STEPS, amount: ZERO }
    return this.#windowAt(now).summary(grid, now) ?? { time, ...nothing }
  }

  /** Computed on demand only; after a step back, or a long gap, it is computed anew. */
  #windowAt(now: number): DayWindow {
    const isUsable = now >= this.#window.endsAt && this.#window.counted >= this.#count - this.#prints.size
    const window = isUsable ? this.#window : new DayWindow()
    const missed = this.#prints
      .newestFirst()
      .take(this.#count - window.counted)
      .toArray()
    for (const print of missed.reverse()) window.add(print)
    if (now >= this.#window.endsAt) this.#window = window
    return window
  }
}

function* printsIn(numbers: Float64Array, first: number): Generator<PublicTrade> {
  for (let at = 0; at < numbers.length; at += PRINT_NUMBERS) {
    const [time = 0, price = 0, quantity = 0, buys = 0] = numbers.subarray(at)
    const side = buys === 1 ? 'buy' : 'sell'
    yield { time, price: ticks(price), quantity: steps(quantity), side, id: first + at / PRINT_NUMBERS }
  }
}
