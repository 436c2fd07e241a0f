import { ENDPOINTS, type EndpointKey } from '../exchange/endpoints.ts'
import { account } from './account-handlers.ts'
import type { EndpointHandler } from './endpoint-call.ts'
import { depth, klines, ping, symbols, ticker, time, trades } from './spot-public-handlers.ts'
import { cancelOrder, myTrades, newOrder, openOrders, queryOrder, testOrder } from './spot-trade-handlers.ts'

/** What the exchange does with a method and a path. */
export interface Route {
  readonly signed: boolean
  /** `undefined` for an endpoint of the interface that is not simulated yet. */
  readonly handler: EndpointHandler | undefined
}

const HANDLERS: Readonly<Partial<Record<EndpointKey, EndpointHandler>>> = {
  spotPing: ping,
  spotTime: time,
  spotSymbols: symbols,
  spotDepth: depth,
  spotTicker: ticker,
  spotTrades: trades,
  spotKlines: klines,
  spotNewOrder: newOrder,
  spotTestOrder: testOrder,
  spotOrder: queryOrder,
  spotCancel: cancelOrder,
  spotOpenOrders: openOrders,
  spotMyTradesV2: myTrades,
  spotAccount: account,
}

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...Object.values(ENDPOINTS).map(
    ({ key, method, path, security }) =>
      // The table's own keys are the keys of its rows.
      [`${method} ${path}`, { signed: security !== 'NONE', handler: HANDLERS[key as EndpointKey] }] as const,
  ),
])

/** The route of a method and a path; `undefined` for what is not in the interface. */
export function routeOf(method: string, path: string): Route | undefined {
  return ROUTES.get(`${method} ${path}`)
}
