import { join } from 'node:path'
import { INTERVALS, type Interval } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** What the rows of a series are: klines of an interval, or something else. */
export type SeriesKind = Interval | 'funding' | 'trades'

/** Which series of the store. */
export interface SeriesName {
  /** What the user calls the source; a folder name. */
  readonly venue: string
  /** `BASE/QUOTE`, or a contract such as `E-BTC-USDT`. */
  readonly symbol: string
  readonly series: SeriesKind
}

const SYMBOL = /^[A-Z0-9]+\/[A-Z0-9]+$/
/** Three parts at least, so that no contract has the folder of a symbol. */
const CONTRACT = /^[A-Z0-9]+(-[A-Z0-9]+){2,}$/
/** In small letters, because some file systems take A and a for the same. */
const VENUE = /^[a-z0-9][a-z0-9._-]*$/
/** For the same reason `1M` has another folder name beside `1m`. */
const MONTH_FOLDER = '1mo'

/** Where a series lies, from the store's folder on; throws `UsageError` for a name that is none. */
export function seriesPath({ venue, symbol, series }: SeriesName): string {
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
  return join(venue, symbol.replace('/', '-'), series === '1M' ? MONTH_FOLDER : series)
}

/** The series that lies in these folders; `undefined` where they are no series. */
export function seriesIn(venue: string, symbolFolder: string, seriesFolder: string): SeriesName | undefined {
  const symbol = CONTRACT.test(symbolFolder) ? symbolFolder : symbolFolder.replace('-', '/')
  const series = SERIES_KINDS.find(kind => (kind === '1M' ? MONTH_FOLDER : kind) === seriesFolder)
  if (series === undefined || !isVenue(venue)) return undefined
  return CONTRACT.test(symbol) || SYMBOL.test(symbol) ? { venue, symbol, series } : undefined
}

const SERIES_KINDS: readonly SeriesKind[] = [...INTERVALS, 'funding', 'trades']

/** Whether a name can be a venue of the store. */
export function isVenue(name: string): boolean {
  return VENUE.test(name)
}

/** A series in words: `BTC/USDT 1m of binance`. */
export function seriesText({ venue, symbol, series }: SeriesName): string {
  return `${symbol} ${series} of ${venue}`
}
