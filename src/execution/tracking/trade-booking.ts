import { steps } from '../../domain/numbers/grid.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import { CLOCK_SLACK_MS } from '../clock-slack.ts'
import type { ExecutionOptions } from '../execution-options.ts'
import { fillOf } from './fill-of.ts'
import type { TrackedOrder } from './tracked-order.ts'
import type { TrackedOrders } from './tracked-orders.ts'

/** Most own trades that one query gives. */
const TRADES_PER_QUERY = 500

/** Books own trades on the orders that they belong to, each once. */
export class TradeBooking {
  readonly #options: Pick<ExecutionOptions, 'trading' | 'emit'>
  readonly #orders: TrackedOrders
  /** Id of the latest trade that was booked in order, by symbol. */
  readonly #bookedUpTo = new Map<string, bigint>()

  /** `orders` are all that are followed. */
  constructor(options: Pick<ExecutionOptions, 'trading' | 'emit'>, orders: TrackedOrders) {
    this.#options = options
    this.#orders = orders
  }

  /** Books a trade on the order that it belongs to; `false` where no such order is followed. */
  book(trade: OwnTrade): boolean {
    for (const order of this.#orders.all) {
      if (order.request.symbol !== trade.symbol || order.exchangeOrderId !== trade.orderId) continue
      this.#bookTrade(order, trade)
      return true
    }
    return false
  }

  /** From the newest trades, and where these do not reach back far enough, from all since the order was sent. */
  async bookTradesOf(order: TrackedOrder, orderId: string): Promise<void> {
    const { trading } = this.#options
    const { symbol } = order.request
    const own = ({ orderId: id }: OwnTrade) => id === orderId
    const newest = await trading.myTrades({ symbol, limit: TRADES_PER_QUERY }, { lane: 'reconciliation' })
    if (order.instrument.contractSize !== undefined) return this.#bookInOrder(symbol, newest)
    for (const trade of newest.filter(own)) this.#bookTrade(order, trade)
    const [oldest] = newest
    if (newest.length < TRADES_PER_QUERY || oldest === undefined || oldest.time < order.since) return
    for await (const trade of trading.allHistoryTrades({ symbol, from: order.since - CLOCK_SLACK_MS }))
      if (own(trade)) this.#bookTrade(order, trade)
  }

  /**
   * Of contracts, in the order in which they happened: a profit depends on it, and what closes a position must not come
   * before what opened it. A trade that may belong to an order that is yet to be found holds back all that came later, and so
   * does the other side of a trade with oneself.
   */
  #bookInOrder(symbol: string, trades: readonly OwnTrade[]): void {
    for (const trade of trades) {
      const id = BigInt(trade.id)
      const upTo = this.#bookedUpTo.get(symbol) ?? 0n
      if (id < upTo || this.book(trade)) {
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
