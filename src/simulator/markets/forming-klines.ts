import { closeTimeOf, type Interval, intervalMs, openTimeOf } from '../../domain/market-data/interval.ts'
import { NO_STEPS, type Steps, steps, type Ticks, ticks } from '../../domain/numbers/grid.ts'
import { BoundedList } from '../bounded-list.ts'
import type { GridKline } from '../prices/grid-kline.ts'
import type { Print } from '../prices/print.ts'

/** Stored klines of one interval: more than thirty calls can return. */
const KEPT_KLINES = 10_000

/** A kline that is not complete. */
export interface FormingKline {
  readonly openTime: number
  /** First ms after it, UTC. */
  readonly closeTime: number
  readonly open: Ticks
  high: Ticks
  low: Ticks
  close: Ticks
  volume: Steps
}

/** A series as plain data. */
export interface KlineSeriesState {
  /** Oldest first, six numbers each: openTime, open, high, low, close, volume. */
  readonly closed: Float64Array
  readonly forming: FormingKline | undefined
}

const KLINE_NUMBERS = 6

/** The klines of one interval, made from prints; the newest is still forming. */
export class FormingKlines {
  readonly interval: Interval
  readonly #fillsGaps: boolean
  readonly #closed = new BoundedList<GridKline>(KEPT_KLINES)
  #forming: FormingKline | undefined

  /** With `fillsGaps`, an interval without prints has a flat kline without volume; otherwise it has none. */
  constructor(interval: Interval, fillsGaps: boolean) {
    this.interval = interval
    this.#fillsGaps = fillsGaps
  }

  /** Takes the next print. */
  record({ time, price, quantity }: Print): void {
    const forming = this.#forming
    if (forming === undefined || time >= forming.closeTime) {
      this.#begin(openTimeOf(time, this.interval), price, quantity)
      return
    }
    if (price > forming.high) forming.high = price
    if (price < forming.low) forming.low = price
    forming.close = price
    forming.volume = steps(forming.volume + quantity)
  }

  #begin(openTime: number, price: Ticks, volume: Steps): void {
    this.#fillUntil(openTime)
    if (this.#forming !== undefined) this.#closed.push(this.#forming)
    const closeTime = closeTimeOf(openTime, this.interval)
    this.#forming = { openTime, closeTime, open: price, high: price, low: price, close: price, volume }
  }

  /** Lets time pass without prints. */
  rollTo(time: number): void {
    this.#fillUntil(closeTimeOf(openTimeOf(time, this.interval), this.interval))
  }

  /** All of it, as plain data. */
  dump(): KlineSeriesState {
    const closed = new Float64Array(this.#closed.size * KLINE_NUMBERS)
    let at = 0
    for (const { openTime, open, high, low, close, volume } of this.#closed.oldestFirst()) {
      closed.set([openTime, open, high, low, close, volume], at)
      at += KLINE_NUMBERS
    }
    return { closed, forming: this.#forming }
  }

  /** Restores a dump. */
  restore({ closed, forming }: KlineSeriesState): void {
    this.#closed.restore(klinesIn(closed))
    this.#forming = forming
  }

  /** Newest first, the forming kline included. */
  *newestFirst(): Generator<GridKline> {
    if (this.#forming !== undefined) yield this.#forming
    yield* this.#closed.newestFirst()
  }

  /** Adds flat klines so that the newest one closes at `openTime`. */
  #fillUntil(openTime: number): void {
    if (!this.#fillsGaps || this.#forming === undefined) return
    const oldestKept = openTime - KEPT_KLINES * intervalMs(this.interval)
    let next = closeTimeOf(this.#forming.openTime, this.interval)
    if (next < oldestKept) next = openTimeOf(oldestKept, this.interval)
    for (; next < openTime; next = closeTimeOf(next, this.interval)) {
      this.#closed.push(this.#forming)
      const price: Ticks = this.#forming.close
      const closeTime = closeTimeOf(next, this.interval)
      const flat = { open: price, high: price, low: price, close: price, volume: NO_STEPS }
      this.#forming = { openTime: next, closeTime, ...flat }
    }
  }
}

function* klinesIn(numbers: Float64Array): Generator<GridKline> {
  for (let at = 0; at < numbers.length; at += KLINE_NUMBERS) {
    const [openTime = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = numbers.subarray(at)
    const prices = { open: ticks(open), high: ticks(high), low: ticks(low), close: ticks(close) }
    yield { openTime, ...prices, volume: steps(volume) }
  }
}
