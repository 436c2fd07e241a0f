import { utcText } from '../../domain/market-data/civil-date.ts'
import { closeTimeOf, type Interval, intervalMs, openTimeOf } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { OpenKline } from './open-kline.ts'

/** From which klines to which. */
export interface ResampleOptions {
  /** Interval of the klines that come. */
  readonly from: Interval
  /** Interval of the klines to make; longer. */
  readonly to: Interval
  /** What becomes of a longer kline that lacks some of its parts: it is left out (`drop`, the default), or made of those there are. */
  readonly incomplete?: 'drop' | 'keep' | undefined
}

/** What became of longer klines, without those that the data begins or ends within. */
export interface ResampleCounts {
  /** Longer klines that had all their parts. */
  readonly complete: number
  /** Longer klines that had some of their parts. */
  readonly incomplete: number
  /** Parts that those lacked. */
  readonly missing: number
}

/**
 * Makes longer klines of shorter ones, one after the other, for streams and for files. A longer kline appears with the last
 * of its parts, so that it is never seen before it is closed: open and close are those of its first and its last part, high
 * and low the extremes, the volume is the sum (compensated, so that it does not depend on rounding on the way).
 *
 * A kline that the data begins or ends within never appears. Of the others only complete ones do, unless `incomplete` is
 * `keep`; one whose last part is absent then appears when the next part of a later kline comes.
 */
export class KlineResampler {
  readonly #from: Interval
  readonly #to: Interval
  readonly #keep: boolean
  readonly #onKline: (kline: Kline) => void
  #open: OpenKline | undefined
  #previous: number | undefined
  #counts: ResampleCounts = { complete: 0, incomplete: 0, missing: 0 }

  /** Throws `UsageError` if klines of `from` cannot make klines of `to`. */
  constructor({ from, to, incomplete = 'drop' }: ResampleOptions, onKline: (kline: Kline) => void) {
    requireParts(from, to)
    this.#from = from
    this.#to = to
    this.#keep = incomplete === 'keep'
    this.#onKline = onKline
  }

  /** Counts of the longer klines that are over. */
  get counts(): ResampleCounts {
    return this.#counts
  }

  /** Takes the next part; throws `UsageError` for one that does not come after those before, or is of another interval. */
  push(kline: Kline): void {
    const { openTime } = kline
    this.#require(openTime)
    const longer = openTimeOf(openTime, this.#to)
    if (this.#open !== undefined && this.#open.openTime !== longer) this.#finish(this.#open)
    const isCut = this.#previous === undefined && openTime !== longer
    const open = this.#open ?? new OpenKline(longer, isCut)
    open.add(kline)
    this.#open = open
    this.#previous = openTime
    if (closeTimeOf(openTime, this.#from) === closeTimeOf(longer, this.#to)) this.#finish(open)
  }

  #finish(open: OpenKline): void {
    this.#open = undefined
    if (open.isCut) return
    const { complete, incomplete, missing } = this.#counts
    const lacking = this.#partsOf(open.openTime) - open.parts
    this.#counts =
      lacking === 0
        ? { complete: complete + 1, incomplete, missing }
        : { complete, incomplete: incomplete + 1, missing: missing + lacking }
    if (lacking === 0 || this.#keep) this.#onKline(open.kline())
  }

  #partsOf(openTime: number): number {
    return (closeTimeOf(openTime, this.#to) - openTime) / intervalMs(this.#from)
  }

  #require(openTime: number): void {
    if (openTimeOf(openTime, this.#from) !== openTime) {
      throw new UsageError(
        `No kline of ${this.#from} opens at ${utcText(openTime)}; give klines of that interval.`,
      )
    }
    if (this.#previous === undefined || openTime > this.#previous) return
    const before = utcText(this.#previous)
    throw new UsageError(
      `The kline of ${utcText(openTime)} does not come after that of ${before}; sort them, each once.`,
    )
  }
}

/** Throws `UsageError` unless a kline of `to` is made of whole klines of `from`, and of more than one. */
function requireParts(from: Interval, to: Interval): void {
  if (intervalMs(from) >= intervalMs(to)) {
    throw new UsageError(
      `Klines of ${from} cannot make klines of ${to}: give a longer interval than ${from}.`,
    )
  }
  if (from !== '1w') return
  throw new UsageError(
    `Klines of 1w cannot make klines of ${to}: a month does not begin with a week; use those of 1d.`,
  )
}
