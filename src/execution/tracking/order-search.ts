import { isOrderNotFound } from '../../exchange/errors/exchange-error.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'
import { CLOCK_SLACK_MS } from '../clock-slack.ts'
import type { ExecutionOptions } from '../execution-options.ts'
import { DuplicateIdError } from '../gateway/duplicate-id-error.ts'
import { placementOf, sentAs } from '../gateway/placement.ts'
import type { Likeness } from '../gateway/trading-calls.ts'
import type { SentOrder } from '../sent-requests.ts'
import { differenceFrom } from './order-likeness.ts'
import type { TrackedOrder } from './tracked-order.ts'
import type { TrackedOrders } from './tracked-orders.ts'

type OrderSearchOptions = Pick<ExecutionOptions, 'trading' | 'serverNow' | 'maxSlippageRate' | 'onError'>

/** Looks a lost placement up at the exchange, by its clientOrderId or by its likeness. */
export class OrderSearch {
  readonly #options: OrderSearchOptions
  readonly #orders: TrackedOrders
  /** Foreign orders found under an own clientOrderId, by the exchange's ids. */
  readonly #others = new Set<string>()

  /** `orders`: all tracked orders. */
  constructor(options: OrderSearchOptions, orders: TrackedOrders) {
    this.#options = options
    this.#orders = orders
  }

  /**
   * Searches by the exchange's id, else by ours, else among the open orders; absence before the deadline
   * proves nothing. Another order under our id is an error, and does not count as found.
   */
  async find(order: TrackedOrder): Promise<SpotOrder | undefined> {
    const { request, exchangeOrderId } = order
    const { trading } = this.#options
    const { symbol, clientOrderId } = request
    const isIt = (listed: SpotOrder) =>
      exchangeOrderId === undefined
        ? listed.clientOrderId === clientOrderId && this.#isOurs(order, listed)
        : listed.orderId === exchangeOrderId
    const asked = await this.#ask(order)
    if (asked !== undefined && (exchangeOrderId !== undefined || this.#isOurs(order, asked))) return asked
    const open = await trading.openOrders({ symbol, limit: 1000 })
    const rests = open.find(isIt)
    if (rests !== undefined || this.#options.serverNow() <= order.absentAfter) return rests
    // The most expensive query is only sent if its answer decides.
    for await (const past of trading.allHistoryOrders({ symbol, from: order.since - CLOCK_SLACK_MS }))
      if (isIt(past)) return past
    return undefined
  }

  async #ask(order: TrackedOrder): Promise<SpotOrder | undefined> {
    const { request, exchangeOrderId } = order
    const { symbol, clientOrderId } = request
    try {
      return await this.#options.trading.order(
        exchangeOrderId === undefined
          ? { symbol, clientOrderId, likeness: this.#likenessOf(order) }
          : { symbol, orderId: exchangeOrderId },
      )
    } catch (error) {
      if (isOrderNotFound(error)) return undefined
      throw error
    }
  }

  /** True if an order under our id may be the one that was sent; a mismatch is reported once. */
  #isOurs(order: TrackedOrder, found: SpotOrder): boolean {
    const difference = differenceFrom(order, found)
    if (difference === undefined) return true
    if (this.#others.has(found.orderId)) return false
    this.#others.add(found.orderId)
    this.#options.onError(new DuplicateIdError(order.request.symbol, found, difference))
    return false
  }

  /** Fields of the sent order, to identify it; orders tracked under another own id are excluded. */
  #likenessOf(order: TrackedOrder): Likeness {
    const { request, since } = order
    const isAnother = (orderId: string) => this.#orders.hasAtExchange(orderId)
    const { quantity, price } = order.sent ?? this.#wouldLeaveAs(order)
    return { side: request.side, quantity, price, reduceOnly: request.reduceOnly, since, isAnother }
  }

  /** Expected content of an order that was sent before contents were recorded. */
  #wouldLeaveAs({ request, instrument }: TrackedOrder): SentOrder {
    return sentAs(placementOf(instrument, request, this.#options.maxSlippageRate))
  }
}
