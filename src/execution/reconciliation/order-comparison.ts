import type { Order } from '../../domain/orders/order.ts'
import { wholeId } from '../../domain/orders/order-parts.ts'
import { isOrderNotFound } from '../../exchange/errors/exchange-error.ts'
import { UnknownOutcomeError } from '../../exchange/errors/unknown-outcome-error.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'
import { isNotCancelable } from '../gateway/exchange-refusals.ts'
import { differenceFrom } from '../tracking/order-likeness.ts'
import type { NamesakeWatch } from './namesake-watch.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'
import type { ReconciliationReport } from './reconciliation-report.ts'

/** Largest number of open orders in one answer. */
const ORDERS_PER_QUERY = 1000

/** Finds open orders that the ledger does not expect. */
export class OrderComparison {
  readonly #options: ReconcilerOptions
  readonly #namesake: NamesakeWatch
  /** Reported orders by the exchange's ids, with the number of the last look that found them open. */
  readonly #reported = new Map<string, number>()
  #looks = 0

  constructor(options: ReconcilerOptions, namesake: NamesakeWatch) {
    this.#options = options
    this.#namesake = namesake
  }

  /** Looks at the open orders of every instrument; rejects with the error of a call that failed. */
  async look(): Promise<void> {
    const { trading, instruments } = this.#options
    this.#looks++
    for (const symbol of instruments.keys()) {
      for (const order of await trading.openOrders({ symbol, limit: ORDERS_PER_QUERY })) {
        const own = this.#ownOf(order)
        if (own !== undefined) await this.#meetOwn(own, order)
        else if (!this.#mayBecomeKnown(order)) await this.#meetUnknown(order)
      }
    }
    // An order absent from one look may be missing in a stale copy of the list.
    for (const [orderId, look] of this.#reported) if (look < this.#looks - 1) this.#reported.delete(orderId)
  }

  /** By our id, or, if the list has none, by the exchange's. */
  #ownOf({ clientOrderId, orderId, symbol }: SpotOrder): Order | undefined {
    const { orders } = this.#options.ledger
    if (clientOrderId !== undefined) return orders.get(wholeId(clientOrderId))
    return orders.remembered.find(
      ({ request, exchangeOrderId }) => exchangeOrderId === orderId && request.symbol === symbol,
    )
  }

  /** True if an order without our id may be one with a pending answer, or a part tracked by the tracker. */
  #mayBecomeKnown({ clientOrderId, orderId, symbol }: SpotOrder): boolean {
    const { tracker } = this.#options
    return (
      clientOrderId === undefined &&
      (tracker.orders.hasUnconfirmed(symbol) || tracker.orders.hasAtExchange(orderId))
    )
  }

  /** An order of an earlier session without a journal, of another process of the bot's name, or of others. */
  async #meetUnknown(order: SpotOrder): Promise<void> {
    const isReported = this.#reported.has(order.orderId)
    this.#reported.set(order.orderId, this.#looks)
    const report = this.#reportOf(order)
    if (!isReported) this.#options.onReport(report)
    if (report.type === 'leftoverOrder' || (report.type === 'foreignOrder' && report.isCanceled))
      await this.#cancel(order)
  }

  #reportOf(order: SpotOrder): ReconciliationReport {
    if (this.#namesake.isNamesake(order)) return { type: 'namesakeOrder', order }
    if (this.#namesake.isOwnName(order)) return { type: 'leftoverOrder', order }
    return { type: 'foreignOrder', order, isCanceled: this.#options.foreignOrders === 'cancel' }
  }

  /**
   * Handles an own open order. Tracked orders, and those that ended during the read, are as expected. One
   * that counted as unplaced or lost is tracked again. One that the exchange refused but has nevertheless is
   * canceled, since it has ended for the engine. Another order under our id is foreign.
   */
  async #meetOwn({ request, status, exchangeOrderId }: Order, order: SpotOrder): Promise<void> {
    const { tracker, ledger, onReport } = this.#options
    const { clientOrderId } = request
    const isPart = order.clientOrderId !== undefined && order.clientOrderId !== clientOrderId
    const isIt =
      exchangeOrderId === order.orderId ||
      (this.#mayBe(request, order) && (isPart || exchangeOrderId === undefined))
    const isRefused = status === 'rejected' && exchangeOrderId === undefined
    const isExpected = !isPart && status !== 'expired' && !isRefused
    if (isIt && (isExpected || tracker.orders.has(order.clientOrderId ?? clientOrderId))) return
    onReport({ type: 'lateOrder', order })
    const own = ledger.orders.get(clientOrderId)
    if (isIt && own !== undefined && !isRefused)
      tracker.adopt(own, order, ledger.orders.fillsOf(clientOrderId))
    else await this.#cancel(order)
  }

  /** True if an open order under our id has the fields of the one that was sent under it. */
  #mayBe(request: Order['request'], order: SpotOrder): boolean {
    const left = this.#options.sentRequests
      .placed(request.clientOrderId)
      .find(({ clientOrderId }) => clientOrderId === order.clientOrderId)
    const since = left?.timestamp ?? Number.NEGATIVE_INFINITY
    return differenceFrom({ request, since, sent: left?.sent }, order) === undefined
  }

  async #cancel({ symbol, orderId, clientOrderId = '' }: SpotOrder): Promise<void> {
    const { trading, onDeparture } = this.#options
    try {
      await trading.cancelOrder(
        { symbol, orderId },
        {
          onDeparture: departure => onDeparture({ action: 'cancel', clientOrderId, symbol, ...departure }),
        },
      )
    } catch (error) {
      // The next look cancels it again, if it is still open.
      if (error instanceof UnknownOutcomeError) return
      if (!isNotCancelable(error) && !isOrderNotFound(error)) throw error
    }
  }
}
