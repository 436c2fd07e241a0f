import type { Kline } from '../../domain/market-data/kline.ts'
import type { MarketDataEvent } from '../../domain/market-data/market-data.ts'
import type { Datum } from '../../strategy/feeds/feeds.ts'
import type { DataType } from './subscriptions.ts'

/** Content of an event, and the type of its feeds. */
export interface ShownData {
  readonly type: DataType
  readonly datum: Exclude<Datum, Kline>
}

/** The datum in an event of market data. */
export function shownData(event: MarketDataEvent): ShownData {
  switch (event.type) {
    case 'tickerSeen':
      return { type: 'ticker', datum: event.ticker }
    case 'depthSeen':
      return { type: 'depth', datum: event.depth }
    case 'publicTradeSeen':
      return { type: 'trades', datum: event.trade }
    case 'indexPriceSeen':
      return { type: 'indexPrice', datum: event.indexPrice }
    case 'fundingRateSeen':
      return { type: 'funding', datum: event.fundingRate }
  }
}
