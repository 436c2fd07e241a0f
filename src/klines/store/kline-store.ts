import type { Interval } from '../../domain/market-data/interval.ts'
import { foldersIn, listSeries, type StoreListing } from './list-series.ts'
import { isVenue } from './series-name.ts'
import { StoredSeries } from './stored-series.ts'
import {
  FUNDING_LAYOUT,
  type FundingName,
  KLINE_LAYOUT,
  type KlineName,
  TRADE_LAYOUT,
  type TradeName,
} from './table-layout.ts'

/** A market of the store: `symbol` is `BASE/QUOTE` on spot, or a contract such as `E-BTC-USDT`. */
export interface StoredMarket {
  /** What the user calls the source, such as the exchange's host; a folder name. */
  readonly venue: string
  readonly symbol: string
}

/**
 * Klines, funding rates and trades at rest: Apache Arrow files per venue, symbol, interval and month (trades: day), in UTC.
 * Nothing is opened or created before it is needed; methods throw `UsageError` for names that cannot be used.
 */
export class KlineStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The klines of one interval. */
  klines({ interval, ...market }: StoredMarket & { readonly interval: Interval }): StoredSeries<KlineName> {
    return new StoredSeries(this.#folder, { ...market, series: interval }, KLINE_LAYOUT)
  }

  /** Funding rates. */
  funding(market: StoredMarket): StoredSeries<FundingName> {
    return new StoredSeries(this.#folder, { ...market, series: 'funding' }, FUNDING_LAYOUT)
  }

  /** Public trades. */
  trades(market: StoredMarket): StoredSeries<TradeName> {
    return new StoredSeries(this.#folder, { ...market, series: 'trades' }, TRADE_LAYOUT)
  }

  /** The venues that have klines of a symbol and interval, sorted. */
  venuesOf(symbol: string, interval: Interval): readonly string[] {
    return foldersIn(this.#folder).filter(
      venue => isVenue(venue) && this.klines({ venue, symbol, interval }).extent() !== undefined,
    )
  }

  /** What is there, by what the files say about themselves. */
  list(): StoreListing {
    return listSeries(this.#folder)
  }
}
