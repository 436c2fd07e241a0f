import { InvariantError } from '../../domain/sluice-error.ts'
import type { SpotClient } from '../../exchange/client/spot-client.ts'
import { isNotOffered } from '../../exchange/errors/call-not-offered-error.ts'
import { IncompleteRangeError } from '../../exchange/ranges/incomplete-range-error.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import type { SymbolRange, TradingCalls } from './trading-calls.ts'

/**
 * Own trades since a time; by their ids where the exchange has no list by time, and from the millisecond on
 * that has more trades than an answer of that list. The trade at which one list takes over is given twice.
 */
async function* historyTrades(
  spot: SpotClient,
  { symbol, from }: SymbolRange,
): AsyncGenerator<OwnTrade, void, undefined> {
  let fromId: string | undefined
  try {
    for await (const trade of spot.allHistoryTrades({ symbol, from })) {
      fromId = trade.id
      yield trade
    }
  } catch (error) {
    if (!isNotOffered(error) && !(error instanceof IncompleteRangeError)) throw error
    const byId = spot.allMyTrades({ symbol, ...(fromId !== undefined && { fromId }) })
    for await (const trade of byId) if (trade.time >= from) yield trade
  }
}

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
    allHistoryTrades: range => historyTrades(spot, range),
  }
}
