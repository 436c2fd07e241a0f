import { InvariantError } from '../../domain/sluice-error.ts'
import type { MarginClient } from '../../exchange/client/margin-client.ts'
import { isOrderNotFound } from '../../exchange/errors/exchange-error.ts'
import type { PlainPlacement } from '../../exchange/spot/order-placement.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'
import type { Placement, TradingCalls } from './trading-calls.ts'

/**
 * Orders of a margin account. The exchange accepts limit and market orders only, so that an `ioc` is sent as
 * a limit order, and the order tracker cancels its remainder. Its list of open orders has no clientOrderIds;
 * each unknown one is queried once. There is no list of past orders: the query finds them too.
 */
export class MarginTrading implements TradingCalls {
  readonly #client: MarginClient
  /**
   * ClientOrderIds (or their absence) of the orders open at the last look, by symbol and by the exchange's
   * id.
   */
  readonly #named = new Map<string, Map<string, string | undefined>>()

  constructor(client: MarginClient) {
    this.#client = client
  }

  readonly placeOrder: TradingCalls['placeOrder'] = async (placement, options) => {
    const { orderId } = await this.#client.placeOrder(marginPlacementOf(placement), options)
    this.#namesOf(placement.symbol).set(orderId, placement.clientOrderId)
    return { orderId }
  }

  readonly cancelOrder: TradingCalls['cancelOrder'] = (reference, options) =>
    this.#client.cancelOrder(reference, options)

  readonly order: TradingCalls['order'] = looked => this.#client.order(looked)

  readonly openOrders: TradingCalls['openOrders'] = async query => {
    const known = this.#namesOf(query.symbol)
    const open = await this.#client.openOrders(query)
    const named = new Map<string, string | undefined>()
    this.#named.set(query.symbol, named)
    const orders: SpotOrder[] = []
    for (const order of open) {
      const { orderId } = order
      const isKnown = order.clientOrderId !== undefined || known.has(orderId)
      const found = isKnown ? order : await this.#find(query.symbol, orderId)
      const clientOrderId = found?.clientOrderId ?? known.get(orderId)
      if (found !== undefined) named.set(orderId, clientOrderId)
      orders.push({ ...order, clientOrderId })
    }
    return orders
  }

  readonly allHistoryOrders: TradingCalls['allHistoryOrders'] = () => NO_ORDERS

  readonly myTrades: TradingCalls['myTrades'] = (query, options) => this.#client.myTrades(query, options)

  readonly allMyTrades: TradingCalls['allMyTrades'] = range => this.#client.allMyTrades(range)

  readonly allHistoryTrades: TradingCalls['allHistoryTrades'] = ({ symbol, from }) =>
    this.#tradesSince(symbol, from)

  /** `undefined` if a lagging replica of the exchange lacks it; the next look queries again. */
  async #find(symbol: string, orderId: string): Promise<SpotOrder | undefined> {
    try {
      return await this.#client.order({ symbol, orderId })
    } catch (error) {
      if (isOrderNotFound(error)) return undefined
      throw error
    }
  }

  /** Margin trades are listed by id and not by time. */
  async *#tradesSince(symbol: string, from: number): AsyncGenerator<OwnTrade, void, undefined> {
    for await (const trade of this.#client.allMyTrades({ symbol })) if (trade.time >= from) yield trade
  }

  #namesOf(symbol: string): Map<string, string | undefined> {
    const known = this.#named.get(symbol)
    if (known !== undefined) return known
    const names = new Map<string, string | undefined>()
    this.#named.set(symbol, names)
    return names
  }
}

const NO_ORDERS: AsyncIterable<SpotOrder> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
}

function marginPlacementOf({ reduceOnly: _, ...placement }: Placement): PlainPlacement {
  switch (placement.type) {
    case 'limit':
    case 'ioc':
      return { ...placement, type: 'limit' }
    case 'market':
      if (placement.side === 'sell' && 'quantity' in placement) return { ...placement, side: 'sell' }
      throw new InvariantError(
        `A market buy of ${placement.symbol} would count quote; a quantity is bought by a limit order.`,
      )
    case 'fok':
    case 'postOnly':
    case 'stop':
      throw new InvariantError(
        `An order of ${placement.symbol} is ${placement.type}, but a margin account takes limit and market orders only.`,
      )
  }
}
