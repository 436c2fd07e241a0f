import type { Order } from '../domain/order.ts'
import { wholeId } from '../domain/order-parts.ts'
import { ExchangeError, isOrderNotFound } from '../exchange/exchange-error.ts'
import type { SpotOrder } from '../exchange/spot-order.ts'
import { UnknownOutcomeError } from '../exchange/unknown-outcome-error.ts'
import { NOT_CANCELABLE } from './not-cancelable.ts'
import type { ReconcilerOptions } from './reconciler.ts'

/** Most open orders that one query gives. */
const ORDERS_PER_QUERY = 1000

/** Finds open orders that the ledger does not expect. */
export class OrderComparison {
  readonly #options: ReconcilerOptions
  readonly #reported = new Set<string>()

  constructor(options: ReconcilerOptions) {
    this.#options = options
  }

  /** Looks at the open orders of every instrument; rejects with the error of a call that failed. */
  async look(): Promise<void> {
    const { spot, ledger, instruments } = this.#options
    for (const symbol of instruments.keys()) {
      for (const order of await spot.openOrders({ symbol, limit: ORDERS_PER_QUERY })) {
        const own =
          order.clientOrderId === undefined ? undefined : ledger.orders.get(wholeId(order.clientOrderId))
        if (own === undefined) await this.#meetUnknown(order)
        else await this.#meetOwn(own, order)
      }
    }
  }

  /** Of a run whose journal is gone, or of somebody else. */
  async #meetUnknown(order: SpotOrder): Promise<void> {
    const { ownPrefixes, foreignOrders } = this.#options
    const isOwn = ownPrefixes.some(prefix => order.clientOrderId?.startsWith(prefix))
    const isCanceled = foreignOrders === 'cancel'
    if (!this.#reported.has(order.orderId)) {
      this.#reported.add(order.orderId)
      this.#options.onReport(
        isOwn ? { type: 'leftoverOrder', order } : { type: 'foreignOrder', order, isCanceled },
      )
    }
    if (isOwn || isCanceled) await this.#cancel(order)
  }

  /**
   * What is followed, or ended while the list was on its way, is as it should be. What counted as never placed or as lost
   * is followed again. Another order under the id of ours was placed by nobody's wish.
   */
  async #meetOwn({ request, status, exchangeOrderId }: Order, order: SpotOrder): Promise<void> {
    const { tracker, ledger, onReport } = this.#options
    const { clientOrderId } = request
    const isPart = order.clientOrderId !== clientOrderId
    const isIt = isPart || exchangeOrderId === undefined || exchangeOrderId === order.orderId
    const isExpected = !isPart && status !== 'expired'
    if (isIt && (isExpected || tracker.isFollowed(order.clientOrderId ?? clientOrderId))) return
    onReport({ type: 'lateOrder', order })
    const own = ledger.orders.get(clientOrderId)
    if (isIt && own !== undefined) tracker.adopt(own, order, ledger.orders.fillsOf(clientOrderId))
    else await this.#cancel(order)
  }

  async #cancel({ symbol, orderId, clientOrderId = '' }: SpotOrder): Promise<void> {
    const { spot, onDeparture } = this.#options
    try {
      await spot.cancelOrder(
        { symbol, orderId },
        {
          onDeparture: departure => onDeparture({ action: 'cancel', clientOrderId, symbol, ...departure }),
        },
      )
    } catch (error) {
      // The next look cancels it again, if it is still there.
      if (error instanceof UnknownOutcomeError) return
      const isOver = error instanceof ExchangeError && error.exchangeCode === NOT_CANCELABLE
      if (!isOver && !isOrderNotFound(error)) throw error
    }
  }
}
