import { isNotOffered } from '../../exchange/errors/call-not-offered-error.ts'
import { isOrderNotFound } from '../../exchange/errors/exchange-error.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'
import { CLOCK_SLACK_MS } from '../clock-slack.ts'
import type { ExecutionOptions } from '../execution-options.ts'
import { DuplicateIdError } from '../gateway/duplicate-id-error.ts'
import { placementOf, sentAs } from '../gateway/placement.ts'
import type { Likeness, LookedFor } from '../gateway/trading-calls.ts'
import type { SentOrder } from '../sent-requests.ts'
import { differenceFrom } from './order-likeness.ts'
import type { TrackedOrder } from './tracked-order.ts'
import type { TrackedOrders } from './tracked-orders.ts'
import { UnprovenAbsenceError } from './unproven-absence-error.ts'

type OrderSearchOptions = Pick<
  ExecutionOptions,
  'trading' | 'serverNow' | 'maxSlippageRate' | 'settlementMarginMs' | 'onError'
>

/** Looks a lost placement up at the exchange, by its clientOrderId or by its likeness. */
export class OrderSearch {
  readonly #options: OrderSearchOptions
  readonly #orders: TrackedOrders
  /** Foreign orders found under an own clientOrderId, by the exchange's ids. */
  readonly #others = new Set<string>()
  /** When the absence of an order could not be proven for the first time, ms UTC, by its clientOrderId. */
  readonly #unprovenSince = new Map<string, number>()
  /** ClientOrderIds of those that were reported. */
  readonly #reported = new Set<string>()

  /** `orders`: all tracked orders. */
  constructor(options: OrderSearchOptions, orders: TrackedOrders) {
    this.#options = options
    this.#orders = orders
  }

  /**
   * Searches by the exchange's id, else by ours, else among the open orders; absence before the deadline
   * proves nothing. Another order under our id is an error, and does not count as found. `unproven`: an order that traded
   * may be it, and the exchange does not tell.
   */
  async find(order: TrackedOrder): Promise<SpotOrder | 'unproven' | undefined> {
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
    // The most expensive queries are only sent if their answers decide.
    const listsPast = await this.#isListed(order, isIt)
    if (typeof listsPast !== 'boolean') return listsPast
    return exchangeOrderId === undefined ? await this.#amongTraded(order, listsPast) : undefined
  }

  /** The order among the past ones; `true` where it is not there, `false` where the exchange lists none. */
  async #isListed(
    { request: { symbol }, since }: TrackedOrder,
    isIt: (listed: SpotOrder) => boolean,
  ): Promise<SpotOrder | boolean> {
    try {
      const { trading } = this.#options
      for await (const past of trading.allHistoryOrders({ symbol, from: since - CLOCK_SLACK_MS }))
        if (isIt(past)) return past
      return true
    } catch (error) {
      if (!isNotOffered(error)) throw error
      return false
    }
  }

  /**
   * Searches behind own trades, which may be listed before orders are: an order that is not open matters only if it
   * traded, so that each order behind own trades since then is looked up, but those that are known.
   */
  async #amongTraded(order: TrackedOrder, listsPast: boolean): Promise<SpotOrder | 'unproven' | undefined> {
    const { request, since } = order
    const { symbol, side, clientOrderId } = request
    const traded = new Set<string>()
    for await (const trade of this.#options.trading.allHistoryTrades({
      symbol,
      from: since - CLOCK_SLACK_MS,
    }))
      if (trade.side === side && !this.#orders.hasHadAtExchange(trade.orderId)) traded.add(trade.orderId)
    for (const orderId of traded) {
      const found = await this.#lookUp({ symbol, orderId })
      const isOther = found?.clientOrderId !== undefined && found.clientOrderId !== clientOrderId
      if (isOther || (found !== undefined && differenceFrom(order, found) !== undefined)) continue
      if (found?.clientOrderId === clientOrderId) return found
      this.#noteUnproven(request, orderId, listsPast)
      return 'unproven'
    }
    return undefined
  }

  /** Reports it once: at once where no list will ever tell, otherwise where the lists stay behind for long. */
  #noteUnproven(
    { symbol, clientOrderId }: TrackedOrder['request'],
    orderId: string,
    listsPast: boolean,
  ): void {
    const { serverNow, settlementMarginMs, onError } = this.#options
    const since = this.#unprovenSince.get(clientOrderId) ?? serverNow()
    this.#unprovenSince.set(clientOrderId, since)
    if (this.#reported.has(clientOrderId) || (listsPast && serverNow() - since <= settlementMarginMs)) return
    this.#reported.add(clientOrderId)
    onError(new UnprovenAbsenceError(symbol, clientOrderId, orderId))
  }

  async #ask(order: TrackedOrder): Promise<SpotOrder | undefined> {
    const { request, exchangeOrderId } = order
    const { symbol, clientOrderId } = request
    return await this.#lookUp(
      exchangeOrderId === undefined
        ? { symbol, clientOrderId, likeness: this.#likenessOf(order) }
        : { symbol, orderId: exchangeOrderId },
    )
  }

  async #lookUp(looked: LookedFor): Promise<SpotOrder | undefined> {
    try {
      return await this.#options.trading.order(looked)
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

  /** Fields of the sent order, to identify it; orders under another own id, also ended ones, are excluded. */
  #likenessOf(order: TrackedOrder): Likeness {
    const { request, since } = order
    const isAnother = (orderId: string) => this.#orders.hasHadAtExchange(orderId)
    const { quantity, price } = order.sent ?? this.#wouldLeaveAs(order)
    return { side: request.side, quantity, price, reduceOnly: request.reduceOnly, since, isAnother }
  }

  /** Expected content of an order that was sent before contents were recorded. */
  #wouldLeaveAs({ request, instrument }: TrackedOrder): SentOrder {
    return sentAs(placementOf(instrument, request, this.#options.maxSlippageRate))
  }
}
