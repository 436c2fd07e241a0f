import { closeTimeOf, type Interval } from '../../../src/domain/market-data/interval.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import type { Reveal } from '../../run/reveal.ts'

/**
 * Placeholder of a kline before it closes: no numbers at all, or prices mirrored at the close before, so that
 * a rise seems a fall.
 */
export type Hiding = 'absent' | 'mirrored'

/** Klines with the future hidden at every moment of a run, instead of at one. */
export class HiddenFuture implements Reveal {
  readonly #hiding: Hiding
  readonly #hidden: HiddenKlines[] = []
  #time = Number.NEGATIVE_INFINITY

  constructor(hiding: Hiding) {
    this.#hiding = hiding
  }

  /** A copy of klines that shows each only once it has closed, and its open and volume once it has begun. Times are no secret. */
  hide(klines: KlineColumns, interval: Interval): KlineColumns {
    const hidden = new HiddenKlines(klines, interval, this.#hiding)
    this.#hidden.push(hidden)
    hidden.closing(this.#time)
    return hidden.shown
  }

  closing(time: number): void {
    this.#time = time
    for (const hidden of this.#hidden) hidden.closing(time)
  }

  opening(time: number): void {
    for (const hidden of this.#hidden) hidden.opening(time)
  }
}

class HiddenKlines {
  readonly shown: KlineColumns
  readonly #true: KlineColumns
  readonly #interval: Interval
  #closed = 0
  #opened = 0

  constructor(klines: KlineColumns, interval: Interval, hiding: Hiding) {
    this.#true = klines
    this.#interval = interval
    this.shown = hiding === 'absent' ? absent(klines) : mirrored(klines)
    // Holdings before a market begins are valued at its first open.
    if (klines.length > 0) this.#open()
  }

  closing(time: number): void {
    const { openTime, high, low, close } = this.#true
    for (; this.#closed < openTime.length; this.#closed++) {
      const row = this.#closed
      if (closeTimeOf(openTime[row] as number, this.#interval) > time) return
      if (this.#opened === row) this.#open()
      // Rows exist, here and below.
      this.shown.high[row] = high[row] as number
      this.shown.low[row] = low[row] as number
      this.shown.close[row] = close[row] as number
    }
  }

  opening(time: number): void {
    while ((this.#true.openTime[this.#opened] ?? Number.POSITIVE_INFINITY) <= time) this.#open()
  }

  #open(): void {
    const row = this.#opened++
    this.shown.open[row] = this.#true.open[row] as number
    this.shown.volume[row] = this.#true.volume[row] as number
  }
}

function absent({ length, openTime }: KlineColumns): KlineColumns {
  const column = () => new Float64Array(length).fill(Number.NaN)
  return {
    length,
    openTime,
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  }
}

function mirrored({ length, openTime, volume, ...klines }: KlineColumns): KlineColumns {
  const before = (row: number) => (row === 0 ? klines.open[0] : klines.close[row - 1]) as number
  const column = (prices: Float64Array) => prices.map((price, row) => before(row) ** 2 / price)
  return {
    ...{ length, openTime, open: column(klines.open), high: column(klines.low), low: column(klines.high) },
    ...{ close: column(klines.close), volume: volume.map(amount => amount / 2 + 1) },
  }
}
