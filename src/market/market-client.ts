import type { FuturesClient } from '../exchange/client/futures-client.ts'
import type { SpotClient } from '../exchange/client/spot-client.ts'

/** Client calls that market streams use. */
export interface MarketClient {
  readonly spot: Pick<SpotClient, 'klines' | 'ticker' | 'tickers' | 'depth' | 'trades' | 'symbols'>
  /** Needed for futures subscriptions only. */
  readonly futures?: Pick<
    FuturesClient,
    'klines' | 'ticker' | 'tickers' | 'depth' | 'indexPrice' | 'contracts'
  >
}
