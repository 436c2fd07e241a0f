import { utcText } from '../domain/market-data/civil-date.ts'
import {
  closeTimeOf,
  INTERVALS,
  type Interval,
  isMadeOf,
  openTimeOf,
} from '../domain/market-data/interval.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { columnsHash } from '../klines/columns-hash.ts'
import { firstOpenTime } from '../klines/download/absent-spans.ts'
import type { KlineColumns } from '../klines/kline-columns.ts'
import type { TimeSpan } from '../klines/slice-klines.ts'
import { KlineStore } from '../klines/store/kline-store.ts'
import { seriesText } from '../klines/store/series-name.ts'
import type { StoredSeries } from '../klines/store/stored-series.ts'
import type { KlineName } from '../klines/store/table-layout.ts'
import type { GapPolicy } from './backtest/gap-policy.ts'
import { klinesAdvice, optionText } from './klines-advice.ts'
import { longerKlines } from './longer-klines.ts'

/** Filter of stored klines. */
export interface StoredKlinesOptions extends TimeSpan {
  readonly store: string
  /** Needed only if several venues have the klines. */
  readonly venue?: string
  readonly symbol: string
  readonly interval: Interval
  /** True allows missing klines at the start and the end of the span. */
  readonly allowsLess: boolean
  /** Policy for missing parts of klines that are made of stored ones; by default one that lacks a part is absent. */
  readonly madeBy?: GapPolicy
  /** Interval of the backtest whose path these klines show, if they do; an error then says what it could play. */
  readonly detailOf?: Interval
}

/** Stored klines, with their identification. */
export interface StoredKlines {
  readonly columns: KlineColumns
  /** SHA-256 of their columns, one after the other, hexadecimal. */
  readonly sha256: string
  /** Readable name. */
  readonly name: string
  /** Name of the stored parts, and the interval made of them; absent if the klines themselves are stored. */
  readonly resampled?: { readonly from: string; readonly to: Interval }
}

/**
 * Reads klines from the store, or, if it has none of the interval, builds them from the longest stored interval
 * that divides it; throws `UsageError` if it lacks a part of the span, naming the stored part and how to get
 * the rest.
 */
export function readStoredKlines(options: StoredKlinesOptions): StoredKlines {
  const { symbol, interval } = options
  const store = new KlineStore(options.store)
  const part = storedPart(store, options)
  const venue = options.venue ?? onlyVenue(store, { ...options, interval: part })
  const series = store.klines({ venue, symbol, interval: part })
  const columns = part === interval ? series.read(spanOf(options)) : madeOf(series, part, options)
  const lack = lackOf(columns, options)
  if (columns.length > 0 && (lack === undefined || options.allowsLess)) {
    const name = seriesText(series.name)
    const stored = { columns, sha256: columnsHash(columns), name }
    if (part === interval) return stored
    return { ...stored, name: `${name} as ${interval}`, resampled: { from: name, to: interval } }
  }
  const extent = series.extent()
  const madeNone = part !== interval && columns.length === 0
  if (extent === undefined || madeNone) throw absent(store, options)
  const has = `${utcText(extent.first)} to ${utcText(extent.last)}`
  throw new UsageError(
    `The store ${options.store} has ${seriesText(series.name)} from ${has}; it lacks ${lack ?? 'the span'}. ${klinesAdvice(store, { ...options, venue, interval: part })}${lessAdvice(columns, options)}`,
  )
}

/** The interval itself, or the longest stored one that divides it. */
function storedPart(store: KlineStore, { venue, symbol, interval }: StoredKlinesOptions): Interval {
  const isStored = (candidate: Interval): boolean =>
    venue === undefined
      ? store.venuesOf(symbol, candidate).length > 0
      : store.klines({ venue, symbol, interval: candidate }).extent() !== undefined
  if (isStored(interval)) return interval
  return INTERVALS.findLast(part => isMadeOf(interval, part) && isStored(part)) ?? interval
}

/** Klines built from their parts. */
function madeOf(
  series: StoredSeries<KlineName>,
  part: Interval,
  { interval, from, to, madeBy: policy = 'fail' }: StoredKlinesOptions,
): KlineColumns {
  const parts = series.read(
    spanOf({
      from: from === undefined ? undefined : firstOpenTime(from, interval),
      to: to === undefined ? undefined : closeTimeOf(openTimeOf(to - 1, interval), interval),
    }),
  )
  return longerKlines(parts, { from: part, to: interval, policy })
}

function spanOf({ from, to }: { from?: number | undefined; to?: number | undefined }): TimeSpan {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

/** The venue with the klines; throws if there is none, or more than one. */
function onlyVenue(store: KlineStore, options: StoredKlinesOptions): string {
  const { symbol, interval } = options
  const [venue, ...others] = store.venuesOf(symbol, interval)
  if (venue === undefined) throw absent(store, options)
  if (others.length === 0) return venue
  throw new UsageError(
    `The store ${options.store} has ${symbol} ${interval} of ${[venue, ...others].join(' and ')}; say which with --venue.`,
  )
}

function absent(store: KlineStore, options: StoredKlinesOptions): UsageError {
  const { symbol, interval, venue } = options
  const others = store.list().series.filter(listing => listing.symbol === symbol)
  const has =
    others.length === 0
      ? 'nothing of it'
      : others.map(({ venue: of, series }) => `${series} of ${of}`).join(', ')
  const of = venue === undefined ? '' : ` of ${venue}`
  return new UsageError(
    `The store ${options.store} has no ${symbol} ${interval}${of}; it has ${has}. ${klinesAdvice(store, options)}`,
  )
}

/** Options that leave a usable part of the span, as a line; empty where none does. */
function lessAdvice(columns: KlineColumns, { detailOf, interval, from, to }: StoredKlinesOptions): string {
  const [first, last] = [columns.openTime[0], columns.openTime.at(-1)]
  if (first === undefined || last === undefined) return ''
  if (detailOf === undefined) return '\nOr take what there is with --gaps skip.'
  // Finer klines must reach over all of the backtest.
  const begin = firstOpenTime(first, detailOf)
  const end = openTimeOf(closeTimeOf(last, interval), detailOf)
  if (begin >= end) return ''
  const words = [
    ...(from !== undefined && first > firstOpenTime(from, interval) ? [`--from ${optionText(begin)}`] : []),
    ...(to !== undefined && last < openTimeOf(to - 1, interval) ? [`--to ${optionText(end)}`] : []),
  ]
  return `\nOr play only what they reach over, with ${words.join(' ')}.`
}

/** Missing part at the start or the end of the span, in words. */
function lackOf({ openTime }: KlineColumns, { from, to, interval }: StoredKlinesOptions): string | undefined {
  const [first, last] = [openTime[0], openTime.at(-1)]
  if (first === undefined || last === undefined) return 'the span that is asked for'
  const lacks = [
    ...(from !== undefined && first > firstOpenTime(from, interval)
      ? [`the klines before ${utcText(first)}`]
      : []),
    ...(to !== undefined && last < openTimeOf(to - 1, interval) ? [`the klines after ${utcText(last)}`] : []),
  ]
  return lacks.length === 0 ? undefined : lacks.join(' and ')
}
