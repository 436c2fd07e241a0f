import { utcText } from '../domain/market-data/civil-date.ts'
import type { Interval } from '../domain/market-data/interval.ts'
import { offeredPartOf } from '../exchange/spot/spot-interval.ts'
import { DEFAULT_STORE } from '../klines/store/default-store.ts'
import type { KlineStore } from '../klines/store/kline-store.ts'
import { GENERATED_VENUE } from './klines/generated-klines.ts'
import { GENERATED_SPAN } from './klines/generated-market.ts'

/** Klines that a store lacks; times are ms UTC. */
export interface LackingKlines {
  readonly store: string
  readonly venue?: string
  readonly symbol: string
  readonly interval: Interval
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Command that puts klines into the store: a download, or for the made-up market its generator. */
export function klinesAdvice(store: KlineStore, lacking: LackingKlines): string {
  const { symbol, venue } = lacking
  const stored = store.list().series.filter(listing => listing.symbol === symbol)
  const venues = new Set(venue === undefined ? stored.map(listing => listing.venue) : [venue])
  if (venues.size !== 1 || !venues.has(GENERATED_VENUE)) return downloadAdvice(lacking)
  return generateAdvice(
    lacking,
    stored.filter(listing => listing.venue === GENERATED_VENUE),
    store.klines({ venue: GENERATED_VENUE, symbol, interval: lacking.interval }),
  )
}

function downloadAdvice({ symbol, interval, venue, store, from, to }: LackingKlines): string {
  const words = [
    `--symbol ${symbol} --interval ${offeredPartOf(interval)}`,
    `--from ${from === undefined ? '2024-01-01' : optionText(from)}`,
    ...(to === undefined ? [] : [`--to ${optionText(to)}`]),
    symbol.includes('/') ? '--spot-url URL' : '--futures-url URL',
    ...(venue === undefined ? [] : [`--venue ${venue}`]),
    ...storeWords(store),
  ]
  return `Download it:\n  npm run klines -- download ${words.join(' ')}`
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
