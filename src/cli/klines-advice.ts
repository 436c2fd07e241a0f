import { loadProfile, profileNames } from '../config/profiles/load-profile.ts'
import { utcText } from '../domain/market-data/civil-date.ts'
import { INTERVALS, type Interval } from '../domain/market-data/interval.ts'
import { offeredPartOf } from '../exchange/spot/spot-interval.ts'
import { DEFAULT_STORE } from '../klines/store/default-store.ts'
import type { KlineStore } from '../klines/store/kline-store.ts'
import type { SeriesKind } from '../klines/store/series-name.ts'
import { GENERATED_VENUE } from './klines/generated-klines.ts'
import { GENERATED_SPAN } from './klines/generated-market.ts'
import { isPair } from './public-exchange.ts'

const DAY_MS = 86_400_000

/** Klines that a store lacks; times are ms UTC. */
export interface LackingKlines {
  readonly store: string
  readonly venue?: string
  readonly symbol: string
  readonly interval: Interval
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/**
 * Command that puts klines into the store: from the source of the stored ones, for the made-up market its
 * generator, and from the archive of Binance where no other source is known.
 */
export function klinesAdvice(store: KlineStore, lacking: LackingKlines): string {
  const { symbol } = lacking
  const stored = store.list().series.filter(listing => listing.symbol === symbol)
  const venues = new Set(stored.map(listing => listing.venue))
  const venue = lacking.venue ?? (venues.size === 1 ? [...venues][0] : undefined)
  if (venue !== GENERATED_VENUE)
    return sourceAdvice(store, { ...lacking, ...(venue !== undefined && { venue }) })
  return generateAdvice(
    lacking,
    stored.filter(listing => listing.venue === GENERATED_VENUE),
    store.klines({ venue: GENERATED_VENUE, symbol, interval: lacking.interval }),
  )
}

function sourceAdvice(store: KlineStore, lacking: LackingKlines): string {
  const { symbol, venue = 'binance' } = lacking
  if (venue === 'binance') return downloadAdvice(lacking, lacking.interval, ['--source binance'])
  const source = lastSourceOf(store, { ...lacking, venue })
  const [, url] = / klines of (\S+)$/.exec(source ?? '') ?? []
  if (profileNames().includes(venue)) {
    const { lacksKlines } = loadProfile(venue)[isPair(symbol) ? 'spot' : 'futures']
    return downloadAdvice(lacking, offeredPartOf(lacking.interval, lacksKlines), [`--profile ${venue}`])
  }
  const part = offeredPartOf(lacking.interval)
  if (url !== undefined) return downloadAdvice(lacking, part, [`--profile ${url}`, `--venue ${venue}`])
  if (venue.includes('.')) return downloadAdvice(lacking, part, [`--profile https://${venue}`])
  return importAdvice({ ...lacking, venue }, source)
}

/** Source of the latest stored klines of the market, of whichever interval. */
function lastSourceOf(
  store: KlineStore,
  { venue, symbol }: LackingKlines & { readonly venue: string },
): string | undefined {
  const listings = store.list().series.filter(of => of.venue === venue && of.symbol === symbol)
  return listings
    .flatMap(({ series, last }) =>
      isInterval(series) ? store.klines({ venue, symbol, interval: series }).sourcesAt(last) : [],
    )
    .at(-1)
}

function downloadAdvice(
  { symbol, store, from, to }: LackingKlines,
  interval: Interval,
  source: readonly string[],
): string {
  const words = [
    ...source,
    `--symbol ${symbol} --interval ${interval}`,
    `--from ${from === undefined ? '2024-01-01' : optionText(from)}`,
    ...(to === undefined ? [] : [`--to ${optionText(to)}`]),
    ...storeWords(store),
  ]
  return `Download it:\n  npm run klines -- download ${words.join(' ')}`
}

function importAdvice(
  { venue, symbol, interval, store }: LackingKlines & { readonly venue: string },
  source: string | undefined,
): string {
  const from = source === undefined ? '' : ` (the stored ones are from the ${source})`
  const words = [`--venue ${venue} --symbol ${symbol} --interval ${interval}`, ...storeWords(store)]
  return `Import it from your files, named in place of FILE${from}:\n  npm run klines -- import FILE ${words.join(' ')}`
}

/** Sentence about how to get funding rates of a venue of the store; only the archive of Binance lists past ones. */
export function fundingAdvice({ store, venue, symbol, from, to }: Omit<LackingKlines, 'interval'>): string {
  if (venue !== 'binance') return ''
  const [first, end] = [Math.floor((from ?? 0) / DAY_MS), Math.floor((to ?? 0) / DAY_MS) + 1]
  const span = `--from ${optionText(first * DAY_MS)} --to ${optionText(end * DAY_MS)}`
  const words = [`--source binance --type funding --symbol ${symbol} ${span}`, ...storeWords(store)]
  return ` Download them:\n  npm run klines -- download ${words.join(' ')}`
}

/** A made-up market begins at its start price: the same market begins at the same time. */
function generateAdvice(
  { symbol, interval, store, from, to }: LackingKlines,
  stored: readonly { readonly first: number }[],
  own: { readonly folder: string; extent(): unknown },
): string {
  const begin =
    stored.length === 0 ? (from ?? GENERATED_SPAN.from) : Math.min(...stored.map(({ first }) => first))
  const words = [
    `--symbol ${symbol} --interval ${interval} --from ${optionText(begin)}`,
    `--to ${optionText(to ?? GENERATED_SPAN.to)}`,
    ...storeWords(store),
  ]
  const other = own.extent() === undefined ? '' : `, once ${own.folder} is deleted`
  const same =
    stored.length === 0 ? '' : ' (with the --seed, --start-price and --yearly-volatility of before, if given)'
  return `Generate it${other}${same}:\n  npm run klines -- generate ${words.join(' ')}`
}

function storeWords(store: string): readonly string[] {
  return store === DEFAULT_STORE ? [] : [`--store ${store}`]
}

/** Text of a time for an option: a date, or a time in UTC. */
export function optionText(time: number): string {
  return utcText(time).replace(/T00:00:00\.000Z$/, '')
}

function isInterval(series: SeriesKind): series is Interval {
  return INTERVALS.some(interval => interval === series)
}
