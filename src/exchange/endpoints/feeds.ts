import { z } from 'zod'
import { assetsResponse } from '../feeds/asset-feed.ts'
import { coinQuotesResponse } from '../feeds/coin-quote.ts'
import { contractBookResponse } from '../feeds/contract-book.ts'
import { contractFeedResponse } from '../feeds/contract-feed.ts'
import { feedOrderBookRequest, feedOrderBookResponse } from '../feeds/feed-order-book.ts'
import { feedTradesRequest, feedTradesResponse } from '../feeds/feed-trade.ts'
import { summaryResponse } from '../feeds/summary-feed.ts'
import { contractNameParameter } from '../wire/wire-field.ts'
import { defineEndpoint } from './endpoint.ts'

/** The document gives the feeds no weight; 1 is the least any endpoint has. */
const feed = {
  method: 'GET',
  host: 'spot',
  security: 'NONE',
  effect: 'read',
  weight: 1,
  section: '4.8',
} as const

/** Interface section 4.8: public feeds for aggregators; the document does not say whether they need a key. */
export const FEEDS = {
  feedSummary: defineEndpoint({
    ...feed,
    key: 'feedSummary',
    path: '/v2/pub/summary',
    request: z.object({}),
    keepsEnvelope: true,
    response: summaryResponse,
    doc: '24-hour summary of every pair, and which currencies can be moved.',
  }),
  feedAssets: defineEndpoint({
    ...feed,
    key: 'feedAssets',
    path: '/v2/pub/asset',
    request: z.object({}),
    response: assetsResponse,
    doc: 'Every currency with its withdrawal limits and fees.',
  }),
  feedQuotes: defineEndpoint({
    ...feed,
    key: 'feedQuotes',
    path: '/v2/pub/ticker',
    request: z.object({}),
    response: coinQuotesResponse,
    doc: 'The quote of every pair.',
  }),
  feedOrderBook: defineEndpoint({
    ...feed,
    key: 'feedOrderBook',
    path: '/v2/pub/orderbook',
    request: feedOrderBookRequest,
    response: feedOrderBookResponse,
    doc: 'Order-book levels of one pair.',
  }),
  feedTrades: defineEndpoint({
    ...feed,
    key: 'feedTrades',
    path: '/v2/pub/trades',
    request: feedTradesRequest,
    response: feedTradesResponse,
    doc: 'Recent trades of one pair, newest first.',
  }),
  feedContracts: defineEndpoint({
    ...feed,
    host: 'futures',
    key: 'feedContracts',
    path: '/pub/contracts',
    request: z.object({ ticker_id: contractNameParameter.optional() }),
    response: contractFeedResponse,
    doc: 'Futures contracts with volume, open interest and funding.',
  }),
  feedContractBook: defineEndpoint({
    ...feed,
    host: 'futures',
    key: 'feedContractBook',
    path: '/pub/orderbook',
    request: z.object({ ticker_id: contractNameParameter }),
    response: contractBookResponse,
    doc: 'Order-book levels of one futures contract.',
  }),
} as const
