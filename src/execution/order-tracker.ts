import { amountOf } from '../domain/amount.ts'
import { type CancelCause, cancellationFor } from '../domain/cancel-cause.ts'
import type { OrderUpdated } from '../domain/engine-event.ts'
import type { Fill } from '../domain/fill.ts'
import { steps, stepsOf, ticksOf } from '../domain/grid.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import { ExchangeError, isOrderNotFound } from '../exchange/exchange-error.ts'
import type { OwnTrade } from '../exchange/own-trade.ts'
import type { SpotOrder } from '../exchange/spot-order.ts'
import { UnknownOutcomeError } from '../exchange/unknown-outcome-error.ts'
import type { ExecutionOptions } from './execution-options.ts'
import { placementOf } from './placement.ts'
import { type TrackedOrder, trackedOrder } from './tracked-order.ts'

/** Most own trades that one query gives. */
const TRADES_PER_QUERY = 1000

/** How the exchange says that an order is over, and what that is to us; a fill is told by its trades. */
const ENDINGS: Partial<Record<SpotOrder['status'], 'canceled' | 'expired' | 'rejected'>> = {
  canceled: 'canceled',
  expired: 'expired',
  rejected: 'rejected',
  filled: 'canceled',
}

/**
 * The orders at the exchange: sends each placement once, and follows it until it is over. When the outcome of a
 * placement is unknown, the order is looked for by its clientOrderId until it is found, or until the exchange can no
 * longer accept it and it is still nowhere: then it was never placed.
 */
export class OrderTracker {
  readonly #options: ExecutionOptions
  readonly #orders = new Map<string, TrackedOrder>()

  constructor(options: ExecutionOptions) {
    this.#options = options
  }

  /** Orders that are not over. */
  get size(): number {
    return this.#orders.size
  }

  /** Sends a placement and reports what became of it. Never rejects. */
  async send(request: OrderRequest): Promise<void> {
    const order = trackedOrder(this.#instrumentOf(request), request)
    this.#orders.set(request.clientOrderId, order)
    await this.#whileBusy(order, () => this.#place(order))
    await this.#follow(order)
  }

  /** Other orders of the same group that are not over. */
  groupOf({ clientOrderId, terms }: OrderRequest): readonly string[] {
    const members = [...this.#orders.values()].filter(({ request }) => request.terms?.oco === terms?.oco)
    return members.map(({ request }) => request.clientOrderId).filter(id => id !== clientOrderId)
  }

  /** Wants an order gone; does nothing for one that is over. Never rejects. */
  async cancel(clientOrderId: string, cause?: CancelCause): Promise<void> {
    const order = this.#orders.get(clientOrderId)
    if (order === undefined) return
    order.cancelWanted = true
    order.cancelCause ??= cause
    await this.#follow(order)
  }

  /** Wants every order gone. Never rejects. */
  async cancelAll(): Promise<void> {
    await Promise.all([...this.#orders.keys()].map(id => this.cancel(id)))
  }

  /** Looks at every order once; to be called regularly. Never rejects. */
  async reconcile(): Promise<void> {
    await Promise.all([...this.#orders.values()].map(order => this.#follow(order)))
  }

  async #place(order: TrackedOrder): Promise<void> {
    const { request, instrument } = order
    try {
      const placement = placementOf(instrument, request, this.#options.maxSlippageRate)
      const { orderId } = await this.#options.spot.placeOrder(placement)
      this.#confirm(order, orderId)
    } catch (error) {
      if (error instanceof UnknownOutcomeError) return this.#lose(order, error)
      this.#options.onError(error)
      this.#end(order, 'rejected', error instanceof Error ? error.message : String(error))
    }
  }

  #lose(order: TrackedOrder, error: UnknownOutcomeError): void {
    order.absentAfter = error.acceptableUntil + this.#options.settlementMarginMs
    this.#update(order, 'outcomeLost', { reason: error.message })
  }

  #confirm(order: TrackedOrder, exchangeOrderId: string): void {
    order.exchangeOrderId = exchangeOrderId
    this.#update(order, 'accepted', { exchangeOrderId })
  }

  /** One look at an order; a look that is under way is not joined by another. */
  async #follow(order: TrackedOrder): Promise<void> {
    if (order.busy || !this.#orders.has(order.request.clientOrderId)) return
    await this.#whileBusy(order, async () => {
      try {
        await this.#cancelIfWanted(order)
        await this.#settle(order)
      } catch (error) {
        this.#options.onError(error)
      }
    })
  }

  async #whileBusy(order: TrackedOrder, work: () => Promise<void>): Promise<void> {
    order.busy = true
    try {
      await work()
    } finally {
      order.busy = false
    }
  }

  /** A cancel that fails is tried again at the next look; what the order became is told by the query that follows. */
  async #cancelIfWanted({ cancelWanted, exchangeOrderId, request }: TrackedOrder): Promise<void> {
    if (!cancelWanted || exchangeOrderId === undefined) return
    try {
      await this.#options.spot.cancelOrder({ symbol: request.symbol, orderId: exchangeOrderId })
    } catch (error) {
      const code = error instanceof ExchangeError ? error.exchangeCode : undefined
      const isOver = code === NOT_CANCELABLE || isOrderNotFound(error)
      if (!isOver) this.#options.onError(error)
    }
  }

  async #settle(order: TrackedOrder): Promise<void> {
    const askedAt = this.#options.serverNow()
    const found = await this.#find(order)
    if (found === undefined) return this.#settleAbsent(order, askedAt)
    if (order.exchangeOrderId === undefined) this.#confirm(order, found.orderId)
    const executed = stepsOf(order.instrument, found.executedQuantity)
    if (order.booked < executed) await this.#bookTrades(order, found.orderId)
    if (order.booked < executed) return
    const ending = ENDINGS[found.status]
    if (order.booked === order.request.quantity) this.#orders.delete(order.request.clientOrderId)
    else if (ending !== undefined) this.#endAs(order, ending, `The exchange says ${found.status}.`)
  }

  /** A cancel of ours that says why tells more than the exchange does. */
  #endAs(order: TrackedOrder, ending: 'canceled' | 'expired' | 'rejected', said: string): void {
    const { event, reason } =
      ending === 'canceled' ? cancellationFor(order.cancelCause) : { event: ending, reason: said }
    this.#end(order, event, reason ?? said)
  }

  /** By the exchange's id, else by ours, else among the open orders; absence before the deadline proves nothing. */
  async #find({ request, exchangeOrderId }: TrackedOrder): Promise<SpotOrder | undefined> {
    const { spot } = this.#options
    const { symbol, clientOrderId } = request
    try {
      return await spot.order(
        exchangeOrderId === undefined ? { symbol, clientOrderId } : { symbol, orderId: exchangeOrderId },
      )
    } catch (error) {
      if (!isOrderNotFound(error)) throw error
    }
    const open = await spot.openOrders({ symbol, limit: 1000 })
    return open.find(order => order.clientOrderId === clientOrderId)
  }

  /** Only a look that began after the deadline proves anything: before it, the order may arrive between two queries. */
  #settleAbsent(order: TrackedOrder, askedAt: number): void {
    if (order.exchangeOrderId !== undefined || askedAt <= order.absentAfter) return
    this.#end(order, 'notPlaced', 'The exchange cannot accept it any more, and it is in no query.')
  }

  async #bookTrades(order: TrackedOrder, orderId: string): Promise<void> {
    const { symbol } = order.request
    const trades = await this.#options.spot.myTrades(
      { symbol, limit: TRADES_PER_QUERY },
      { lane: 'reconciliation' },
    )
    for (const trade of trades) {
      if (trade.orderId !== orderId || order.tradeIds.has(trade.id)) continue
      const fill = this.#fillOf(order, trade)
      order.tradeIds.add(trade.id)
      order.booked = steps(order.booked + fill.quantity)
      this.#options.emit({ type: 'filled', fill })
    }
  }

  #fillOf({ request, instrument }: TrackedOrder, trade: OwnTrade): Fill {
    return {
      id: trade.id,
      clientOrderId: request.clientOrderId,
      symbol: request.symbol,
      side: trade.side,
      price: ticksOf(instrument, trade.price),
      quantity: stepsOf(instrument, trade.quantity),
      fee: amountOf(trade.fee),
      feeAsset: trade.feeAsset,
      liquidity: trade.liquidity,
      time: trade.time,
    }
  }

  #end(order: TrackedOrder, event: 'canceled' | 'expired' | 'rejected' | 'notPlaced', reason: string): void {
    this.#orders.delete(order.request.clientOrderId)
    this.#update(order, event, { reason })
  }

  #update(
    { request: { clientOrderId } }: TrackedOrder,
    event: OrderUpdated['event'],
    details: Pick<OrderUpdated, 'exchangeOrderId' | 'reason'> = {},
  ): void {
    this.#options.emit({
      type: 'orderUpdated',
      clientOrderId,
      event,
      time: this.#options.serverNow(),
      ...details,
    })
  }

  #instrumentOf({ symbol }: OrderRequest): TrackedOrder['instrument'] {
    const instrument = this.#options.instruments.get(symbol)
    if (instrument === undefined) throw new InvariantError(`No instrument has the symbol ${symbol}.`)
    return instrument
  }
}

/** ORDER_NOT_SUPPORT_CANCELLATION: the order is in a state that cannot be canceled, hence over. */
const NOT_CANCELABLE = -1145
