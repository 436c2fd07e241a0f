import { utcText } from '../domain/market-data/civil-date.ts'
import { closeTimeOf, type Interval, intervalOf, openTimeOf } from '../domain/market-data/interval.ts'
import { type Kline, klineProblem } from '../domain/market-data/kline.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { momentOf } from './moment.ts'

/** Open, high, low and close of a kline, and optionally its volume. */
export type KlineTuple =
  | readonly [open: number, high: number, low: number, close: number]
  | readonly [open: number, high: number, low: number, close: number, volume: number]

/** A Monday and the first of a month, so that klines of every interval open then. */
const DEFAULT_START = '2024-01-01'
const DEFAULT_VOLUME = 1000

/**
 * Starts a handwritten market; `start` is the open time of its first kline (ms UTC, or an ISO date or time in
 * UTC). Throws `UsageError` for a start at which no kline of the interval opens.
 */
export function klineScript(interval: Interval, start: number | string = DEFAULT_START): KlineScript {
  const known = intervalOf(interval)
  const opensAt = momentOf(start)
  const before = openTimeOf(opensAt, known)
  if (before === opensAt) return new KlineScript(known, opensAt, [])
  throw new UsageError(
    `No ${known} kline opens at ${utcText(opensAt)}; the one around it opens at ${utcText(before)}.`,
  )
}

/** Consecutive klines of one interval. Immutable: every method returns a new script. */
export class KlineScript {
  readonly interval: Interval
  readonly list: readonly Kline[]
  readonly #next: number
  readonly #volume: number

  /** `next` is the open time of the next kline, ms UTC; `volume` is the default volume, in base. */
  constructor(interval: Interval, next: number, list: readonly Kline[], volume = DEFAULT_VOLUME) {
    this.interval = interval
    this.list = list
    this.#next = next
    this.#volume = volume
  }

  /**
   * Adds one kline per close: it opens at the previous close (the first one at its own), and high and low are
   * the larger and the smaller of the two.
   */
  closes(...closes: readonly number[]): KlineScript {
    let before = this.list.at(-1)?.close
    const rows = closes.map((close): KlineTuple => {
      const open = before ?? close
      before = close
      return [open, Math.max(open, close), Math.min(open, close), close]
    })
    return this.ohlc(...rows)
  }

  /**
   * Adds one kline per `[open, high, low, close]` or `[open, high, low, close, volume]`; throws `UsageError`
   * for an impossible one.
   */
  ohlc(...rows: readonly KlineTuple[]): KlineScript {
    const list = [...this.list]
    let openTime = this.#next
    for (const [open, high, low, close, volume = this.#volume] of rows) {
      const kline = { openTime, open, high, low, close, volume }
      requirePossible(kline, list.length)
      list.push(kline)
      openTime = closeTimeOf(openTime, this.interval)
    }
    return new KlineScript(this.interval, openTime, list, this.#volume)
  }

  /**
   * Adds `count` klines whose closes move in equal steps from the latest close to `to`; throws `UsageError`
   * without an earlier kline.
   */
  trend(to: number, count: number): KlineScript {
    const from = this.#latestClose('a trend')
    requireCount(count)
    return this.closes(
      ...Array.from({ length: count }, (_, index) => from + ((to - from) * (index + 1)) / count),
    )
  }

  /** Adds `count` flat klines at the latest close; throws `UsageError` without an earlier kline. */
  flat(count: number): KlineScript {
    return this.trend(this.#latestClose('a flat stretch'), count)
  }

  /** Leaves a gap of `count` klines; the next kline opens after it. */
  gap(count: number): KlineScript {
    requireCount(count)
    let next = this.#next
    for (let left = count; left > 0; left--) next = closeTimeOf(next, this.interval)
    return new KlineScript(this.interval, next, this.list, this.#volume)
  }

  /** Sets the volume of the klines that follow, in base; default 1000. */
  volume(volume: number): KlineScript {
    return new KlineScript(this.interval, this.#next, this.list, volume)
  }

  /** The first `count` klines. */
  first(count: number): KlineScript {
    requireCount(count)
    return new KlineScript(this.interval, this.#next, this.list.slice(0, count), this.#volume)
  }

  #latestClose(what: string): number {
    const latest = this.list.at(-1)
    if (latest !== undefined) return latest.close
    throw new UsageError(`There is no kline yet for ${what} to begin at; begin with .closes(100).`)
  }
}

function requireCount(count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return
  throw new UsageError(`A number of klines must be a whole number of at least 0, not ${count}.`)
}

function requirePossible(kline: Kline, index: number): void {
  const problem = klineProblem(kline)
  if (problem === undefined) return
  throw new UsageError(
    `Kline ${index} is impossible: ${problem}. Prices are open, high, low, close, in this order, all above 0.`,
  )
}
