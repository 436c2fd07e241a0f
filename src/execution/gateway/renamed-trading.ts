import { listedName } from '../../domain/account-symbol.ts'
import type { TradingCalls } from './trading-calls.ts'

/**
 * Calls for instruments with the account in their symbol (`BTC/USDT@margin`): requests use the name of the
 * pair, answers the requested symbol.
 */
export function renamedTrading(calls: TradingCalls): TradingCalls {
  const named = <Asked extends { readonly symbol: string }>(asked: Asked): Asked => ({
    ...asked,
    symbol: listedName(asked.symbol),
  })
  return {
    placeOrder: (placement, options) => calls.placeOrder(named(placement), options),
    cancelOrder: (reference, options) => calls.cancelOrder(named(reference), options),
    order: async looked => ({ ...(await calls.order(named(looked))), symbol: looked.symbol }),
    openOrders: async query => allOf(query.symbol, await calls.openOrders(named(query))),
    allHistoryOrders: range => eachOf(range.symbol, calls.allHistoryOrders(named(range))),
    myTrades: async (query, options) => allOf(query.symbol, await calls.myTrades(named(query), options)),
    allMyTrades: range => eachOf(range.symbol, calls.allMyTrades(named(range))),
    allHistoryTrades: range => eachOf(range.symbol, calls.allHistoryTrades(named(range))),
  }
}

function allOf<Listed>(symbol: string, listed: readonly Listed[]): readonly Listed[] {
  return listed.map(one => ({ ...one, symbol }))
}

async function* eachOf<Listed>(
  symbol: string,
  listed: AsyncIterable<Listed>,
): AsyncGenerator<Listed, void, undefined> {
  for await (const one of listed) yield { ...one, symbol }
}
