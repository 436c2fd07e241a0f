import type { EndpointCall } from '../call/endpoint-call.ts'
import { ENDPOINTS } from '../endpoints.ts'
import type { FeedAsset } from '../feeds/asset-feed.ts'
import type { CoinQuote } from '../feeds/coin-quote.ts'
import type { ContractBook } from '../feeds/contract-book.ts'
import type { FeedContract } from '../feeds/contract-feed.ts'
import { MERGE_CODES } from '../feeds/feed-order-book.ts'
import type { FeedSymbol } from '../feeds/feed-symbol.ts'
import type { FeedTrade } from '../feeds/feed-trade.ts'
import type { Summary } from '../feeds/summary-feed.ts'
import type { ExchangeDepth } from '../spot/depth.ts'
import { oldestFirst } from '../wire/oldest-first.ts'
import { codeOf } from '../wire/wire-field.ts'

/** An order book and its depth. */
type FeedOrderBookQuery = FeedSymbol & {
  /** Price step that levels are merged to; default `0.01`. */
  readonly merge?: keyof typeof MERGE_CODES
  /** Levels, default 100. */
  readonly bids?: number
  /** Levels, default 100. */
  readonly asks?: number
}

/**
 * The public feeds for aggregators (interface section 4.8): free access, no documented weights. Symbols are
 * `BASE/QUOTE`, numbers exact decimals, ids text, times ms UTC, lists with times oldest first. The futures
 * feeds need a client with a futures URL.
 */
export interface FeedsClient {
  /** The last 24 hours of every spot pair, and the currencies that can be deposited and withdrawn. */
  summary(): Promise<Summary>
  /** Every currency with its withdrawal limits and fees. */
  assets(): Promise<readonly FeedAsset[]>
  /** Last price and volumes of every spot pair. */
  quotes(): Promise<readonly CoinQuote[]>
  /** Best prices first, quantities in base units. */
  orderBook(query: FeedOrderBookQuery): Promise<ExchangeDepth>
  /** Recent public trades, oldest first. `limit`: default 100. */
  trades(query: FeedSymbol & { readonly limit?: number }): Promise<readonly FeedTrade[]>
  /** Futures contracts with volume, open interest and funding: one, or all without a `tickerId`. */
  contracts(query?: { readonly tickerId?: string }): Promise<readonly FeedContract[]>
  /** Order book of a futures contract such as `E-BTC-USDT`; best prices first, quantities in base units. */
  contractBook(query: { readonly tickerId: string }): Promise<ContractBook>
}

/** Feed methods over `call`. */
export function feedsClient(call: EndpointCall): FeedsClient {
  return {
    summary: () => call(ENDPOINTS.feedSummary, {}),
    assets: () => call(ENDPOINTS.feedAssets, {}),
    quotes: () => call(ENDPOINTS.feedQuotes, {}),
    orderBook: ({ merge, ...query }) =>
      call(ENDPOINTS.feedOrderBook, { ...query, depth: codeOf(MERGE_CODES, merge) }),
    trades: async ({ limit, ...query }) => {
      const trades = await call(ENDPOINTS.feedTrades, { ...query, trades: limit })
      return oldestFirst(trades, ({ time, id }) => ({ time, id }))
    },
    contracts: ({ tickerId } = {}) => call(ENDPOINTS.feedContracts, { ticker_id: tickerId }),
    contractBook: ({ tickerId }) => call(ENDPOINTS.feedContractBook, { ticker_id: tickerId }),
  }
}
