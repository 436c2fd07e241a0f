import { utcText } from '../../domain/market-data/civil-date.ts'
import {
  closeTimeOf,
  INTERVALS,
  type Interval,
  intervalMs,
  isMadeOf,
  openTimeOf,
} from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { OpenKline } from '../../domain/market-data/open-kline.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** Intervals and rules of a resampling. */
export interface ResampleOptions {
  /** Interval of the given klines. */
  readonly from: Interval
  /** Interval of the resulting klines; longer. */
  readonly to: Interval
  /**
   * Longer klines that lack parts are left out (`drop`, the default), or built from the existing parts
   * (`keep`).
   */
  readonly incomplete?: 'drop' | 'keep' | undefined
}

/** Counts of longer klines, without those that are cut off at the start or end of the data. */
export interface ResampleCounts {
  /** Longer klines with all their parts. */
  readonly complete: number
  /** Longer klines that lacked parts. */
  readonly incomplete: number
  /** Number of parts that they lacked. */
  readonly missing: number
}

/**
 * Builds longer klines from shorter ones, one by one, for streams and files. A longer kline is emitted with
 * its last part, so that it is never visible before its close: open and close are those of its first and its
 * last part, high and low the extremes, the volume is the exact decimal
 * sum (see `DecimalSum`).
 *
 * A kline that is cut off at the start or end of the data is never emitted. Incomplete ones are emitted only
 * with `keep`; if the last part is missing, then with the next part of a later kline.
 */
export class KlineResampler {
  readonly #from: Interval
  readonly #to: Interval
  readonly #keep: boolean
  readonly #onKline: (kline: Kline) => void
  #open: OpenKline | undefined
  #previous: number | undefined
  #counts: ResampleCounts = { complete: 0, incomplete: 0, missing: 0 }

  /** Throws `UsageError` if klines of `to` cannot be built from klines of `from`. */
  constructor({ from, to, incomplete = 'drop' }: ResampleOptions, onKline: (kline: Kline) => void) {
    requireParts(from, to)
    this.#from = from
    this.#to = to
    this.#keep = incomplete === 'keep'
    this.#onKline = onKline
  }

  /** Counts of the finished longer klines. */
  get counts(): ResampleCounts {
    return this.#counts
  }

  /**
   * Adds the next part; throws `UsageError` if it does not come after the earlier ones, or has another
   * interval.
   */
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

/** Throws `UsageError` unless a kline of `to` consists of more than one whole kline of `from`. */
function requireParts(from: Interval, to: Interval): void {
  if (intervalMs(from) >= intervalMs(to)) {
    throw new UsageError(
      `Klines of ${from} cannot make klines of ${to}: give a longer interval than ${from}.`,
    )
  }
  if (isMadeOf(to, from)) return
  const parts = INTERVALS.filter(part => isMadeOf(to, part))
  throw new UsageError(
    `Klines of ${from} cannot make klines of ${to}, which do not begin and end with them; use those of ${parts.at(-1)}.`,
  )
}
