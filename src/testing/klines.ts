import { utcText } from '../domain/market-data/civil-date.ts'
import { closeTimeOf, type Interval, intervalOf, openTimeOf } from '../domain/market-data/interval.ts'
import { type Kline, klineProblem } from '../domain/market-data/kline.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { momentOf } from './moment.ts'

/** Open, high, low and close of a kline, and its volume, where that matters. */
export type KlineTuple =
  | readonly [open: number, high: number, low: number, close: number]
  | readonly [open: number, high: number, low: number, close: number, volume: number]

/** A Monday, and the first of a month: klines of every interval begin then. */
const DEFAULT_START = '2024-01-01'
const DEFAULT_VOLUME = 1000

/**
 * Begins a market that is written by hand; `start` is the open time of its first kline (ms UTC, or an ISO date or time in
 * UTC). Throws `UsageError` for a start at which no kline of the interval opens.
 */
export function klines(interval: Interval, start: number | string = DEFAULT_START): KlineScript {
  const known = intervalOf(interval)
  const opensAt = momentOf(start)
  const before = openTimeOf(opensAt, known)
  if (before === opensAt) return new KlineScript(known, opensAt, [])
  throw new UsageError(
    `No ${known} kline opens at ${utcText(opensAt)}; the one around it opens at ${utcText(before)}.`,
  )
}

/** Klines of one interval, one after the other. Never changes: every method gives a longer script. */
export class KlineScript {
  readonly interval: Interval
  readonly list: readonly Kline[]
  readonly #next: number
  readonly #volume: number

  /** `next` is when the next kline opens, ms UTC; `volume` is that of klines that say none. */
  constructor(interval: Interval, next: number, list: readonly Kline[], volume = DEFAULT_VOLUME) {
    this.interval = interval
    this.list = list
    this.#next = next
    this.#volume = volume
  }

  /** A kline for each close: it opens at the close before (the first at its own) and reaches no further than both. */
  closes(...closes: readonly number[]): KlineScript {
    let before = this.list.at(-1)?.close
    const rows = closes.map((close): KlineTuple => {
      const open = before ?? close
      before = close
      return [open, Math.max(open, close), Math.min(open, close), close]
    })
    return this.ohlc(...rows)
  }

  /** A kline for each `[open, high, low, close]` or `[open, high, low, close, volume]`; throws `UsageError` for one that cannot be. */
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

  /** So many klines whose closes go in equal steps from the latest close to `to`; throws `UsageError` where there is no kline yet. */
  trend(to: number, count: number): KlineScript {
    const from = this.#latestClose('a trend')
    requireCount(count)
    return this.closes(
      ...Array.from({ length: count }, (_, index) => from + ((to - from) * (index + 1)) / count),
    )
  }

  /** So many klines that stand still at the latest close; throws `UsageError` where there is no kline yet. */
  flat(count: number): KlineScript {
    return this.trend(this.#latestClose('a flat stretch'), count)
  }

  /** Leaves out so many klines; the next one that is written opens after them. */
  gap(count: number): KlineScript {
    requireCount(count)
    let next = this.#next
    for (let left = count; left > 0; left--) next = closeTimeOf(next, this.interval)
    return new KlineScript(this.interval, next, this.list, this.#volume)
  }

  /** The volume of the klines that follow, in base; 1000 until then. */
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
    `Kline ${index} cannot be: ${problem}. Prices are open, high, low, close, in this order, all above 0.`,
  )
}
