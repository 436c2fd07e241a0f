import { firstRowAtOrAfter } from '../../src/klines/row-search.ts'

/** Arrival of recorded rows, ascending. */
export interface RowArrivals {
  /** ms UTC. */
  readonly ms: Float64Array
  /** ns within that ms; without them every row counts as `nsWithout`. */
  readonly ns: Float64Array | undefined
  readonly nsWithout: number
}

/** Recorded rows of one kind, in the order in which they became known. */
export class TickStream {
  /** When the next row became known: ms UTC, infinite after the last, and ns within that ms. */
  time = Number.POSITIVE_INFINITY
  ns = 0
  /** The next row. */
  row = 0
  /** Lets orders meet a row, known at `at` (ms UTC). */
  readonly meet: (row: number, at: number) => void
  /** Shows a row to the feeds. */
  readonly show: (row: number) => void
  readonly #arrivals: RowArrivals

  constructor(arrivals: RowArrivals, meet: TickStream['meet'], show: TickStream['show']) {
    this.#arrivals = arrivals
    this.meet = meet
    this.show = show
    this.moveTo(0)
  }

  /** True if its next row became known before that of another kind. */
  isBefore({ time, ns }: Pick<TickStream, 'time' | 'ns'>): boolean {
    return this.time < time || (this.time === time && this.ns < ns)
  }

  /** Makes a row the next one. */
  moveTo(row: number): void {
    const { ms, ns, nsWithout } = this.#arrivals
    this.row = row
    this.time = ms[row] ?? Number.POSITIVE_INFINITY
    this.ns = ns?.[row] ?? nsWithout
  }

  /** Passes over the rows known before a time: ms UTC, and ns within that ms. */
  skipUntil(ms: number, ns: number): void {
    if (this.time < ms) this.moveTo(firstRowAtOrAfter(this.#arrivals.ms, ms))
    while (this.time === ms && this.ns < ns) this.moveTo(this.row + 1)
  }
}
