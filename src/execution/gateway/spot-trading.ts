import { InvariantError } from '../../domain/sluice-error.ts'
import type { SpotClient } from '../../exchange/client/spot-client.ts'
import type { TradingCalls } from './trading-calls.ts'

/** Orders of spot pairs by the spot endpoints. */
export function spotTrading(spot: SpotClient): TradingCalls {
  return {
    placeOrder: (placement, options) => {
      if (placement.type === 'market' && placement.side === 'buy' && !('quoteAmount' in placement))
        throw new InvariantError(
          `A market buy of ${placement.symbol} would count quote; a quantity is bought by a limit order.`,
        )
      return spot.placeOrder(placement as Parameters<SpotClient['placeOrder']>[0], options) // all that is left
    },
    cancelOrder: (reference, options) => spot.cancelOrder(reference, options),
    order: looked => spot.order(looked),
    openOrders: query => spot.openOrders(query),
    allHistoryOrders: range => spot.allHistoryOrders(range),
    myTrades: (query, options) => spot.myTrades(query, options),
    allMyTrades: range => spot.allMyTrades(range),
    allHistoryTrades: range => spot.allHistoryTrades(range),
  }
}
