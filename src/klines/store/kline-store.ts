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

/** A market in the store: `symbol` is `BASE/QUOTE` on spot, or a contract such as `E-BTC-USDT`. */
export interface StoredMarket {
  /** User's name of the source, such as the exchange's host; a folder name. */
  readonly venue: string
  readonly symbol: string
}

/**
 * Stored klines, funding rates and trades: Apache Arrow files per venue, symbol, interval and month (trades:
 * day), in UTC. Files are opened and created only when needed; methods throw `UsageError` for unusable names.
 */
export class KlineStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  klines({ interval, ...market }: StoredMarket & { readonly interval: Interval }): StoredSeries<KlineName> {
    return new StoredSeries(this.#folder, { ...market, series: interval }, KLINE_LAYOUT)
  }

  funding(market: StoredMarket): StoredSeries<FundingName> {
    return new StoredSeries(this.#folder, { ...market, series: 'funding' }, FUNDING_LAYOUT)
  }

  trades(market: StoredMarket): StoredSeries<TradeName> {
    return new StoredSeries(this.#folder, { ...market, series: 'trades' }, TRADE_LAYOUT)
  }

  /** Venues with klines of a symbol and interval, sorted. */
  venuesOf(symbol: string, interval: Interval): readonly string[] {
    return foldersIn(this.#folder).filter(
      venue => isVenue(venue) && this.klines({ venue, symbol, interval }).extent() !== undefined,
    )
  }

  /** Content of the store, by the metadata of its files. */
  list(): StoreListing {
    return listSeries(this.#folder)
  }
}
