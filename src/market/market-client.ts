import type { FuturesClient } from '../exchange/futures/futures-client.ts'
import type { SpotClient } from '../exchange/spot/spot-client.ts'

/** The calls that market streams are made of. */
export interface MarketClient {
  readonly spot: Pick<SpotClient, 'klines' | 'ticker' | 'tickers' | 'depth' | 'trades' | 'symbols'>
  /** Only for subscriptions of futures. */
  readonly futures?: Pick<
    FuturesClient,
    'klines' | 'ticker' | 'tickers' | 'depth' | 'indexPrice' | 'contracts'
  >
}
