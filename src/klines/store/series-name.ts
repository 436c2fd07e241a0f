import { join } from 'node:path'
import { INTERVALS, type Interval } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** Content of a series: klines of an interval, funding rates or trades. */
export type SeriesKind = Interval | 'funding' | 'trades'

/** Identity of a series in the store. */
export interface SeriesName {
  /** User's name of the source; a folder name. */
  readonly venue: string
  /** `BASE/QUOTE`, or a contract such as `E-BTC-USDT`. */
  readonly symbol: string
  readonly series: SeriesKind
}

const SYMBOL = /^[A-Z0-9]+\/[A-Z0-9]+$/
/** At least three parts, so that the folder of a contract differs from that of a symbol. */
const CONTRACT = /^[A-Z0-9]+(-[A-Z0-9]+){2,}$/
/** Lower case, because some file systems do not distinguish A and a. */
const VENUE = /^[a-z0-9][a-z0-9._-]*$/
/** Folder of `1M`, which must differ from `1m` on such file systems. */
const MONTH_FOLDER = '1mo'

/** Path of a series within the store; throws `UsageError` for an invalid name. */
export function seriesPath({ series, ...market }: SeriesName): string {
  return join(marketPath(market), series === '1M' ? MONTH_FOLDER : series)
}

/** Path of a market within the store; throws `UsageError` for an invalid venue or symbol. */
export function marketPath({ venue, symbol }: Pick<SeriesName, 'venue' | 'symbol'>): string {
  if (!isVenue(venue)) {
    throw new UsageError(
      `"${venue}" cannot be a venue of the store: use small letters, digits, dots and dashes, such as binance.`,
    )
  }
  if (!SYMBOL.test(symbol) && !CONTRACT.test(symbol)) {
    throw new UsageError(
      `"${symbol}" is not a symbol: write BASE/QUOTE, such as BTC/USDT, or a contract, such as E-BTC-USDT, in capitals.`,
    )
  }
  return join(venue, symbol.replace('/', '-'))
}

/** Series of these folders; `undefined` if they are not a series. */
export function seriesIn(venue: string, symbolFolder: string, seriesFolder: string): SeriesName | undefined {
  const symbol = CONTRACT.test(symbolFolder) ? symbolFolder : symbolFolder.replace('-', '/')
  const series = SERIES_KINDS.find(kind => (kind === '1M' ? MONTH_FOLDER : kind) === seriesFolder)
  if (series === undefined || !isVenue(venue)) return undefined
  return CONTRACT.test(symbol) || SYMBOL.test(symbol) ? { venue, symbol, series } : undefined
}

const SERIES_KINDS: readonly SeriesKind[] = [...INTERVALS, 'funding', 'trades']

/** True if a name can be a venue of the store. */
export function isVenue(name: string): boolean {
  return VENUE.test(name)
}

/** Readable name: `BTC/USDT 1m of binance`. */
export function seriesText({ venue, symbol, series }: SeriesName): string {
  return `${symbol} ${series} of ${venue}`
}
