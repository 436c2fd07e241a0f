import { ENDPOINTS, type EndpointKey } from '../../exchange/endpoints.ts'
import { assets, feedOrderBook, feedTrades, quotes, summary } from '../feeds/feed-handlers.ts'
import { FUTURES_HANDLERS } from '../futures/handlers/futures-handlers.ts'
import { VERSION_TWO_PATHS } from '../futures/handlers/version-two-paths.ts'
import type { EndpointHandler } from '../incoming-call.ts'
import {
  cancelMarginOrder,
  marginTrades,
  newMarginOrder,
  openMarginOrders,
  queryMarginOrder,
} from '../margin/margin-handlers.ts'
import type { EndpointRow } from '../protocol/endpoint-row.ts'
import { batchCancel, batchOrders } from '../spot/spot-batch-handlers.ts'
import {
  ping,
  spotDepth,
  spotKlines,
  spotTicker,
  spotTrades,
  symbols,
  time,
} from '../spot/spot-public-handlers.ts'
import { historyOrders, historyTrades, myTrades, openOrders } from '../spot/spot-record-handlers.ts'
import { cancelOrder, newOrder, queryOrder, testOrder } from '../spot/spot-trade-handlers.ts'
import { transfer, transferQuery } from '../transfer/transfer-handlers.ts'
import { withdrawApply, withdrawQuery } from '../withdrawal/withdrawal-handlers.ts'
import { account } from './account-handlers.ts'

/** Handler of a method and a path. */
export interface Route {
  /** Row of the table. */
  readonly endpoint: EndpointRow
  /** `undefined` for an endpoint of the interface that is not simulated yet. */
  readonly handler: EndpointHandler | undefined
}

const HANDLERS: Readonly<Partial<Record<EndpointKey, EndpointHandler>>> = {
  spotPing: ping,
  spotTime: time,
  spotSymbols: symbols,
  spotDepth: spotDepth,
  spotTicker: spotTicker,
  spotTrades: spotTrades,
  spotKlines: spotKlines,
  spotNewOrder: newOrder,
  spotTestOrder: testOrder,
  spotOrder: queryOrder,
  spotCancel: cancelOrder,
  spotOpenOrders: openOrders,
  spotBatchOrders: batchOrders,
  spotBatchCancel: batchCancel,
  spotHistoryOrders: historyOrders,
  spotMyTradesV2: myTrades,
  spotMyTradesV3: historyTrades,
  spotAccount: account,
  assetTransfer: transfer,
  assetTransferQuery: transferQuery,
  withdrawApply,
  withdrawQuery,
  marginNewOrder: newMarginOrder,
  marginOrder: queryMarginOrder,
  marginCancel: cancelMarginOrder,
  marginOpenOrders: openMarginOrders,
  marginMyTrades: marginTrades,
  feedSummary: summary,
  feedAssets: assets,
  feedQuotes: quotes,
  feedOrderBook,
  feedTrades,
  ...FUTURES_HANDLERS,
}

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...Object.values(ENDPOINTS).map((endpoint: EndpointRow): [string, Route] => [
    `${endpoint.method} ${endpoint.path}`,
    // The table's own keys are the keys of its rows.
    { endpoint, handler: HANDLERS[endpoint.key as EndpointKey] },
  ]),
  ...Object.entries(VERSION_TWO_PATHS).map(([target, { like, handler }]): [string, Route] => [
    target,
    { endpoint: ENDPOINTS[like], handler },
  ]),
])

/** The route of a method and a path; `undefined` for an unknown one. */
export function routeOf(method: string, path: string): Route | undefined {
  return ROUTES.get(`${method} ${path}`)
}
