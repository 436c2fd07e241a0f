import { quantityText } from '../domain/grid.ts'
import { isOrderNotFound } from '../exchange/exchange-error.ts'
import type { SpotOrder } from '../exchange/spot-order.ts'
import type { ExecutionOptions } from './execution-options.ts'
import { placementOf } from './placement.ts'
import { CLOCK_SLACK_MS, type TrackedOrder } from './tracked-order.ts'
import type { TrackedOrders } from './tracked-orders.ts'
import type { Likeness } from './trading-calls.ts'

/** Finds an order at the exchange. */
export class OrderSearch {
  readonly #options: Pick<ExecutionOptions, 'trading' | 'serverNow' | 'maxSlippageRate'>
  readonly #orders: TrackedOrders

  /** `orders` are all that are followed. */
  constructor(
    options: Pick<ExecutionOptions, 'trading' | 'serverNow' | 'maxSlippageRate'>,
    orders: TrackedOrders,
  ) {
    this.#options = options
    this.#orders = orders
  }

  /** By the exchange's id, else by ours, else among the open orders; absence before the deadline proves nothing. */
  async find(order: TrackedOrder): Promise<SpotOrder | undefined> {
    const { request, exchangeOrderId } = order
    const { trading } = this.#options
    const { symbol, clientOrderId } = request
    try {
      return await trading.order(
        exchangeOrderId === undefined
          ? { symbol, clientOrderId, likeness: this.#likenessOf(order) }
          : { symbol, orderId: exchangeOrderId },
      )
    } catch (error) {
      if (!isOrderNotFound(error)) throw error
    }
    const open = await trading.openOrders({ symbol, limit: 1000 })
    const isIt = (listed: SpotOrder) =>
      exchangeOrderId === undefined
        ? listed.clientOrderId === clientOrderId
        : listed.orderId === exchangeOrderId
    const rests = open.find(isIt)
    if (rests !== undefined || this.#options.serverNow() <= order.absentAfter) return rests
    // The dearest query is only asked where its answer decides.
    for await (const past of trading.allHistoryOrders({ symbol, from: order.since - CLOCK_SLACK_MS }))
      if (isIt(past)) return past
    return undefined
  }

  /** What it was sent as; what is tracked under another id of ours is not it. */
  #likenessOf({ request, instrument, since }: TrackedOrder): Likeness {
    const placement = placementOf(instrument, request, this.#options.maxSlippageRate)
    const isAnother = (orderId: string) => this.#orders.hasAtExchange(orderId)
    return {
      side: request.side,
      quantity: quantityText(instrument, request.quantity),
      price: 'price' in placement ? String(placement.price) : undefined,
      reduceOnly: request.reduceOnly,
      since,
      isAnother,
    }
  }
}
