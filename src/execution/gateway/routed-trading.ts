import type { TradingCalls } from './trading-calls.ts'

/** Calls that go to the account on which a symbol is traded. */
export function routedTrading(callsOf: (symbol: string) => TradingCalls): TradingCalls {
  return {
    placeOrder: (placement, options) => callsOf(placement.symbol).placeOrder(placement, options),
    cancelOrder: (reference, options) => callsOf(reference.symbol).cancelOrder(reference, options),
    order: looked => callsOf(looked.symbol).order(looked),
    openOrders: query => callsOf(query.symbol).openOrders(query),
    allHistoryOrders: range => callsOf(range.symbol).allHistoryOrders(range),
    myTrades: (query, options) => callsOf(query.symbol).myTrades(query, options),
    allMyTrades: range => callsOf(range.symbol).allMyTrades(range),
    allHistoryTrades: range => callsOf(range.symbol).allHistoryTrades(range),
  }
}
