import { steps } from '../../domain/numbers/grid.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import { CLOCK_SLACK_MS } from '../clock-slack.ts'
import type { ExecutionOptions } from '../execution-options.ts'
import { fillOf } from './fill-of.ts'
import type { TrackedOrder } from './tracked-order.ts'
import type { TrackedOrders } from './tracked-orders.ts'

/** Number of own trades that are asked for; hosts give fewer at once, some no more than 100. */
const TRADES_PER_QUERY = 500

/** Books own trades on the orders that they belong to, each once. */
export class TradeBooking {
  readonly #options: Pick<ExecutionOptions, 'trading' | 'emit'>
  readonly #orders: TrackedOrders
  /** Id of the latest trade that was booked in order, by symbol. */
  readonly #bookedUpTo = new Map<string, bigint>()

  /** `orders`: all tracked orders. */
  constructor(options: Pick<ExecutionOptions, 'trading' | 'emit'>, orders: TrackedOrders) {
    this.#options = options
    this.#orders = orders
  }

  /** Books a trade on the order that it belongs to; `false` if no such order is tracked. */
  book(trade: OwnTrade): boolean {
    for (const order of this.#orders.all) {
      if (order.request.symbol !== trade.symbol || order.exchangeOrderId !== trade.orderId) continue
      this.#bookTrade(order, trade)
      return true
    }
    return false
  }

  /**
   * Books from the newest trades, and if these do not reach back far enough, from all since the order was
   * sent. `executed`: filled steps of the order at the exchange, if known.
   */
  async bookTradesOf(
    order: TrackedOrder,
    orderId: string,
    executed: number = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const { trading } = this.#options
    const { symbol } = order.request
    const own = ({ orderId: id }: OwnTrade) => id === orderId
    const newest = await trading.myTrades({ symbol, limit: TRADES_PER_QUERY }, { lane: 'reconciliation' })
    const [oldest] = newest
    const isAll =
      oldest === undefined ||
      oldest.time < order.since ||
      order.booked + unbookedOf(order, newest.filter(own)) >= executed
    const older = { symbol, from: order.since - CLOCK_SLACK_MS }
    if (order.instrument.contractSize !== undefined) {
      const trades = isAll ? newest : await Array.fromAsync(trading.allHistoryTrades(older))
      return this.#bookInOrder(symbol, trades)
    }
    for (const trade of newest.filter(own)) this.#bookTrade(order, trade)
    if (isAll) return
    for await (const trade of trading.allHistoryTrades(older)) if (own(trade)) this.#bookTrade(order, trade)
  }

  /**
   * Contracts are booked in order of time: a profit depends on it, and an exit must not come before its
   * entry. A trade that may belong to a not yet found order delays all later ones, and so does the other side
   * of a self-trade. Only an order that turned up late, after others had traded, is booked after them.
   */
  #bookInOrder(symbol: string, trades: readonly OwnTrade[]): void {
    for (const trade of trades) {
      const id = BigInt(trade.id)
      const upTo = this.#bookedUpTo.get(symbol) ?? 0n
      if (this.book(trade) || id < upTo) {
        if (id > upTo) this.#bookedUpTo.set(symbol, id)
      } else if ((id > upTo || trade.isSelfTrade) && this.#orders.hasUnconfirmed(symbol)) return
    }
  }

  #bookTrade(order: TrackedOrder, trade: OwnTrade): void {
    if (order.tradeIds.has(trade.id)) return
    const fill = fillOf(order, trade)
    order.tradeIds.add(trade.id)
    order.booked = steps(order.booked + fill.quantity)
    if (!order.told.has(trade.id)) this.#options.emit({ type: 'filled', fill })
  }
}

/** Steps of an order's trades that are not booked yet. */
function unbookedOf(order: TrackedOrder, trades: readonly OwnTrade[]): number {
  const unbooked = trades.filter(({ id }) => !order.tradeIds.has(id))
  return unbooked.reduce((sum, trade) => sum + fillOf(order, trade).quantity, 0)
}
