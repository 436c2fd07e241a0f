import { quantityUnit } from '../../domain/instrument.ts'
import { quantityText, type Steps } from '../../domain/numbers/grid.ts'
import type { CancelCause } from '../../domain/orders/cancel-cause.ts'
import type { Order } from '../../domain/orders/order.ts'
import { wholeId } from '../../domain/orders/order-parts.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { CallOptions } from '../../exchange/call/endpoint-call.ts'
import { isOrderNotFound } from '../../exchange/errors/exchange-error.ts'
import { UnknownOutcomeError } from '../../exchange/errors/unknown-outcome-error.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'
import type { ExecutionOptions } from '../execution-options.ts'
import { isEmptyBook, isNotCancelable, isNothingToClose } from '../gateway/exchange-refusals.ts'
import { mustBeTakenBack, placementOf, sentAs } from '../gateway/placement.ts'
import { onPresentGrid } from '../gateway/present-grid.ts'
import { withinSellable } from '../gateway/within-sellable.ts'
import type { SentRequest } from '../sent-requests.ts'
import { executedSteps } from './fill-of.ts'
import { ADOPTED, adoptedOrder, type ResumedOrder, resumedParts, resumedWhole } from './known-orders.ts'
import { OrderOutcomes } from './order-outcomes.ts'
import { OrderSearch } from './order-search.ts'
import { OrderSlices, requestsOf } from './order-slices.ts'
import { type TrackedOrder, trackedOrder } from './tracked-order.ts'
import { TrackedOrders } from './tracked-orders.ts'
import { TradeBooking } from './trade-booking.ts'
import { UnlistedTradesError } from './unlisted-trades-error.ts'

export interface OrderTrackerOptions extends ExecutionOptions {
  /** Called if the exchange refuses a close. */
  readonly onPositionMismatch: (symbol: string) => void
}

/** Time for which own trades may lag behind their order without a word, ms. */
const UNLISTED_AFTER_MS = 5000

/** The exchange's final statuses, as events; a fill is emitted by its trades. */
const ENDINGS: Partial<Record<SpotOrder['status'], 'canceled' | 'expired' | 'rejected'>> = {
  canceled: 'canceled',
  expired: 'expired',
  rejected: 'rejected',
  filled: 'canceled',
}

/**
 * The orders at the exchange: sends each placement once, and follows it until it has ended. If the outcome of
 * a placement is unknown, the order is searched by its clientOrderId until it is found, or until the exchange
 * can no longer accept it and it is still absent: then it was never placed.
 */
export class OrderTracker {
  /** Orders that have not ended. */
  readonly orders = new TrackedOrders()
  readonly #options: OrderTrackerOptions
  readonly #slices = new OrderSlices()
  readonly #search: OrderSearch
  readonly #booking: TradeBooking
  readonly #outcomes: OrderOutcomes

  constructor(options: OrderTrackerOptions) {
    const emit: ExecutionOptions['emit'] = event => {
      const told = this.#slices.translate(event)
      if (told !== undefined) options.emit(told)
    }
    this.#options = { ...options, emit }
    this.#search = new OrderSearch(this.#options, this.orders)
    this.#booking = new TradeBooking(this.#options, this.orders)
    this.#outcomes = new OrderOutcomes(this.#options, this.orders, this.#slices)
  }

  /** Follows an order sent before a restart, and reports an unknown outcome. */
  resume(order: Order, left: ResumedOrder): void {
    const [sentRequest] = left.sentRequests
    if (sentRequest === undefined) return
    if (order.status === 'pending') this.#outcomes.update(order, 'submitted')
    const { settlementMarginMs } = this.#options
    const instrument = this.#instrumentOf(order.request)
    if (sentRequest.clientOrderId === order.request.clientOrderId) {
      const whole = resumedWhole(order, instrument, sentRequest, left, settlementMarginMs)
      this.orders.add(whole)
      if (order.exchangeOrderId === undefined && order.status !== 'unknown')
        this.#outcomes.markUnknownAtRestart(whole)
      return
    }
    this.#addParts(order, left.sentRequests)
    for (const part of resumedParts(order, instrument, left, settlementMarginMs)) {
      this.orders.add(part)
      this.#outcomes.markUnknownAtRestart(part)
    }
  }

  #addParts({ request, status }: Order, sentRequests: readonly SentRequest[]): void {
    const sent = sentRequests.reduce((sum, { quantity = 0 }) => sum + quantity, 0)
    const ids = sentRequests.map(({ clientOrderId }) => clientOrderId)
    this.#slices.add(request.clientOrderId, ids, sent, {
      isAccepted: status === 'open' || status === 'partiallyFilled',
      isLost: status === 'unknown',
      isIncomplete: sent < request.quantity,
    })
  }

  /**
   * Tracks an order again, or a part of one, that counted as ended but turned up; it is canceled, because the
   * engine has gone on without it.
   */
  adopt(order: Order, found: SpotOrder, fills: readonly string[]): void {
    const adopted = adoptedOrder(order, this.#instrumentOf(order.request), found, fills)
    const [{ clientOrderId: whole }, { clientOrderId, quantity }] = [order.request, adopted.request]
    if (clientOrderId !== whole) this.#slices.add(whole, [clientOrderId], quantity, ADOPTED)
    this.orders.add(adopted)
    this.#outcomes.confirm(adopted, found.orderId)
  }

  /** Books a trade on the order that it belongs to; `false` if no such order is tracked. */
  book(trade: OwnTrade): boolean {
    return this.#booking.book(trade)
  }

  /**
   * Sends a placement, in parts if it exceeds the exchange's maximum, and reports the outcome. Never rejects.
   */
  async send(request: OrderRequest): Promise<void> {
    const requests = requestsOf(this.#instrumentOf(request), request)
    if (requests.length > 1)
      this.#slices.add(
        request.clientOrderId,
        requests.map(({ clientOrderId }) => clientOrderId),
        request.quantity,
      )
    await Promise.all(requests.map(one => this.#send(one)))
  }

  async #send(request: OrderRequest): Promise<void> {
    const now = this.#options.serverNow()
    const order = trackedOrder(this.#instrumentOf(request), request, now, { wasSent: false })
    this.orders.add(order)
    await this.#whileBusy(order, () => this.#place(order))
    await this.#follow(order)
  }

  /**
   * A sent order cannot be changed; once it has filled, the engine's additional quantity is requested anew.
   */
  resize(clientOrderId: string, quantity: Steps): void {
    const order = this.orders.get(clientOrderId)
    if (order === undefined) this.#slices.resize(clientOrderId, quantity)
    else order.isShort = quantity > order.request.quantity
  }

  /** Cancels an order; does nothing for one that has ended. Never rejects. */
  async cancel(clientOrderId: string, cause?: CancelCause): Promise<void> {
    const orders = this.orders.partsOf(clientOrderId)
    for (const order of orders) {
      order.cancelWanted = true
      order.cancelCause ??= cause
      order.withdrawal.abort(WITHDRAWN)
    }
    await Promise.all(orders.map(order => this.#follow(order)))
  }

  /** Cancels every order. Never rejects. */
  async cancelAll(): Promise<void> {
    await Promise.all(this.orders.wholeIds.map(id => this.cancel(id)))
  }

  /** Looks at every order once; to be called regularly. Never rejects. */
  async reconcile(): Promise<void> {
    await Promise.all(this.orders.all.map(order => this.#follow(order)))
  }

  async #place(order: TrackedOrder): Promise<void> {
    const { request, instrument } = order
    try {
      const { reduceOnly } = request
      const { maxSlippageRate, presentGrid, sellableOf } = this.#options
      const sellable = request.side === 'sell' ? sellableOf?.(request.symbol) : undefined
      const counted = placementOf(instrument, withinSellable(instrument, request, sellable), maxSlippageRate)
      const placement = { ...onPresentGrid(counted, presentGrid?.(request.symbol) ?? {}), reduceOnly }
      order.sent = sentAs(placement)
      const { orderId } = await this.#options.trading.placeOrder(placement, this.#noting(order, 'place'))
      this.#outcomes.confirm(order, orderId)
    } catch (error) {
      if (error instanceof UnknownOutcomeError) return this.#outcomes.markUnknown(order, error)
      if (error === WITHDRAWN) return this.#outcomes.endAs(order, 'canceled', WITHDRAWN)
      if (!isEmptyBook(error)) this.#options.onError(error)
      if (isNothingToClose(error)) this.#options.onPositionMismatch(request.symbol)
      this.#outcomes.end(order, 'rejected', error instanceof Error ? error.message : String(error))
    }
  }

  /** One look at an order; concurrent looks are skipped. */
  async #follow(order: TrackedOrder): Promise<void> {
    if (order.busy || !this.orders.has(order.request.clientOrderId)) return
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

  /** A failed cancel is repeated at the next look; the following query shows the order's outcome. */
  async #cancelIfWanted(order: TrackedOrder): Promise<void> {
    const { cancelWanted, exchangeOrderId, request } = order
    if (!cancelWanted || exchangeOrderId === undefined) return
    try {
      const reference = { symbol: request.symbol, orderId: exchangeOrderId }
      await this.#options.trading.cancelOrder(reference, this.#noting(order, 'cancel'))
    } catch (error) {
      if (!isNotCancelable(error) && !isOrderNotFound(error)) this.#options.onError(error)
    }
  }

  async #settle(order: TrackedOrder): Promise<void> {
    const askedAt = this.#options.serverNow()
    const found = await this.#search.find(order)
    if (found === 'unproven') return
    if (found === undefined) return await this.#settleAbsent(order, askedAt)
    if (order.exchangeOrderId === undefined) this.#outcomes.confirm(order, found.orderId)
    order.absentAfter = Number.POSITIVE_INFINITY
    const executed = executedSteps(order, found)
    if (order.booked < executed) await this.#booking.bookTradesOf(order, found.orderId, executed)
    if (order.booked < executed) return this.#awaitTrades(order, executed, askedAt)
    order.unlisted = undefined
    const ending = ENDINGS[found.status]
    if (order.booked >= order.request.quantity) this.#outcomes.finish(order)
    else if (ending !== undefined) this.#outcomes.endAs(order, ending, this.#endOf(order, found.status))
    else await this.#takeBackRest(order)
  }

  /** Reason of an end in a status of the exchange; an order that filled with less than its quantity was sent with less. */
  #endOf({ instrument, request, booked }: TrackedOrder, status: SpotOrder['status']): string {
    if (status !== 'filled') return `The exchange says ${status}.`
    const grid = this.#options.presentGrid?.(request.symbol)
    const [sent, all] = [booked, request.quantity].map(quantity => quantityText(instrument, quantity))
    const orFits = grid?.quantityPrecision === undefined ? '' : ', or fits the decimals of the exchange'
    return `The exchange filled all that was sent of it, ${sent} of ${all} ${quantityUnit(instrument)}: no more was free to be sold${orFits}.`
  }

  /** Nothing is guessed of what an order has executed beyond the listed trades; it is told once if that lasts. */
  #awaitTrades(order: TrackedOrder, executed: Steps, askedAt: number): void {
    const since = order.unlisted?.since ?? askedAt
    const wasTold = order.unlisted?.isLasting === true
    const isLasting = wasTold || askedAt - since >= UNLISTED_AFTER_MS
    const unlisted = { since, executed, isLasting }
    order.unlisted = unlisted
    if (isLasting && !wasTold) this.#options.onError(new UnlistedTradesError({ ...order, unlisted }))
  }

  /** Cancels the resting remainder of an immediate order, and queries it once more. */
  async #takeBackRest(order: TrackedOrder): Promise<void> {
    const { instrument, request, cancelWanted } = order
    if (cancelWanted || !mustBeTakenBack(instrument, request, this.#options.maxSlippageRate)) return
    order.cancelWanted = true
    await this.#cancelIfWanted(order)
    await this.#settle(order)
  }

  /**
   * Only a look that began after the deadline proves absence: before it, the order may arrive between two
   * queries.
   */
  async #settleAbsent(order: TrackedOrder, askedAt: number): Promise<void> {
    if (order.exchangeOrderId === undefined) {
      if (askedAt > order.absentAfter)
        this.#outcomes.end(
          order,
          'notPlaced',
          'The exchange cannot accept it any more, and it is in no query.',
        )
      return
    }
    if (order.absentAfter === Number.POSITIVE_INFINITY)
      order.absentAfter = askedAt + this.#options.settlementMarginMs
    if (askedAt <= order.absentAfter) return
    await this.#booking.bookTradesOf(order, order.exchangeOrderId)
    if (order.booked >= order.request.quantity) this.#outcomes.finish(order)
    else this.#outcomes.endAs(order, 'expired', 'The exchange confirmed it, and has it in no query any more.')
  }

  /** Records a request right before it is sent. */
  #noting(order: TrackedOrder, action: SentRequest['action']): CallOptions {
    const { request, withdrawal } = order
    const { clientOrderId, symbol, quantity } = request
    const sentRequest = {
      action,
      clientOrderId,
      symbol,
      ...(wholeId(clientOrderId) !== clientOrderId && { quantity }),
      ...(action === 'place' && { sent: order.sent }),
    }
    return {
      onDeparture: departure => {
        order.wasSent = true
        return this.#options.onDeparture({ ...sentRequest, ...departure })
      },
      ...(action === 'place' && { signal: withdrawal.signal }),
    }
  }

  #instrumentOf({ symbol }: OrderRequest): TrackedOrder['instrument'] {
    const instrument = this.#options.instruments.get(symbol)
    if (instrument === undefined) throw new InvariantError(`No instrument has the symbol ${symbol}.`)
    return instrument
  }
}

/** Reason that a placement was not sent. */
const WITHDRAWN = 'It was canceled before it was sent.'
