import { type Steps, steps, type Ticks } from '../domain/numbers/grid.ts'
import type { Fill } from '../domain/orders/fill.ts'
import { type Order, openQuantityOf, pendingOrder } from '../domain/orders/order.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import { isWorking, nextStatus, type OrderEventType } from '../domain/orders/order-status.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import { LedgerOrder, type LedgerOrderState } from './ledger-order.ts'
import { OrderIndex } from './order-index.ts'

/** Finished orders that an account at an exchange remembers: their fills may be reported late. */
const REMEMBERED_FINISHED_ORDERS = 5_000

/** Details of an order update besides the event itself. */
export interface OrderUpdateDetails {
  readonly exchangeOrderId?: string | undefined
  readonly reason?: string | undefined
}

/** All orders as plain data: the stored ones by generation, and the ids of the working ones. */
export interface OrdersState {
  readonly recent: readonly LedgerOrderState[]
  readonly older: readonly LedgerOrderState[]
  readonly working: readonly string[]
  readonly finished: number
}

const NO_DETAILS: OrderUpdateDetails = {}

/** All our orders by clientOrderId; every change goes through the transition table. */
export class Orders {
  readonly #working: Order[] = []
  readonly #remembered: number
  readonly #index: OrderIndex
  /** Orders that finished since the index last forgot some. */
  #finished = 0
  /** Most events are about the order of the event before. */
  #latest: LedgerOrder | undefined

  /** As many finished orders as `remembered` at least are kept, and twice as many at most, so that memory stays bounded. */
  constructor(remembered = REMEMBERED_FINISHED_ORDERS) {
    this.#remembered = remembered
    this.#index = new OrderIndex(remembered)
  }

  /** Orders that can still trade, in order of their placement; a live list, to be read at once. */
  get working(): readonly Order[] {
    return this.#working
  }

  get(clientOrderId: string): Order | undefined {
    return this.#find(clientOrderId)?.order
  }

  /** Ids of the fills booked on an order, in order. */
  fillsOf(clientOrderId: string): readonly string[] {
    return this.#find(clientOrderId)?.fills ?? []
  }

  /** Every order that is remembered, over or not. */
  get remembered(): readonly Order[] {
    const { recent, older } = this.#generations()
    return [...older, ...recent].map(({ order }) => order)
  }

  /** Takes a new order in; throws `InvariantError` for an id that exists. */
  add(request: OrderRequest): Order {
    const order = pendingOrder(request)
    const tracked = new LedgerOrder(order)
    if (!this.#index.add(tracked)) {
      throw new InvariantError(`Order ${request.clientOrderId} exists already; one intent gives one order.`)
    }
    this.#latest = tracked
    this.#working.push(order)
    return order
  }

  /** Applies an event; throws `InvariantError` for an unknown order or an illegal transition. */
  update(clientOrderId: string, event: OrderEventType, details = NO_DETAILS): Order {
    const tracked = this.#known(clientOrderId)
    const { request, status, filledQuantity, exchangeOrderId, reason } = tracked.order
    return this.#store(tracked, {
      request,
      status: nextStatus(status, event),
      filledQuantity,
      exchangeOrderId: details.exchangeOrderId ?? exchangeOrderId,
      reason: details.reason ?? reason,
    })
  }

  /** An exchange that takes an order in at once: `update` for `submitted` and for `accepted`, in one step. */
  acknowledge(clientOrderId: string): Order {
    const tracked = this.#known(clientOrderId)
    const { request, status, filledQuantity, exchangeOrderId, reason } = tracked.order
    const next = nextStatus(nextStatus(status, 'submitted'), 'accepted')
    return this.#store(tracked, { request, status: next, filledQuantity, exchangeOrderId, reason })
  }

  /**
   * Books a fill on its order, or returns `undefined` for a repeated one. An order may have been sent before
   * it was reduced, and then grows with its fills; throws `InvariantError` beyond the largest quantity that
   * it ever had.
   */
  fill({ clientOrderId, id, quantity }: Fill): Order | undefined {
    const tracked = this.#known(clientOrderId)
    if (tracked.hasFill(id)) return undefined
    const { request, status, filledQuantity, exchangeOrderId, reason } = tracked.order
    const filled = steps(filledQuantity + quantity)
    const most = Math.max(tracked.most ?? 0, request.quantity)
    if (filled > most) {
      throw new InvariantError(
        `Fill ${id} would bring order ${clientOrderId} to ${filled} steps, but only ${most} were ordered.`,
      )
    }
    const next = nextStatus(status, filled < request.quantity ? 'partlyFilled' : 'filled')
    tracked.noteFill(id)
    const ordered = filled > request.quantity ? { ...request, quantity: filled } : request
    return this.#store(tracked, {
      request: ordered,
      status: next,
      filledQuantity: filled,
      exchangeOrderId,
      reason,
    })
  }

  /**
   * Sets the total quantity of a working order; throws `InvariantError` below its filled quantity, and for an
   * order that has ended.
   */
  resize(clientOrderId: string, quantity: Steps): Order {
    const tracked = this.#known(clientOrderId)
    const { order } = tracked
    if (!isWorking(order.status))
      throw new InvariantError(`Order ${clientOrderId} is ${order.status}; it has no size to change.`)
    const resized = { ...order, request: { ...order.request, quantity } }
    openQuantityOf(resized)
    if (quantity < order.request.quantity)
      tracked.most = steps(Math.max(tracked.most ?? 0, order.request.quantity))
    return this.#store(tracked, resized)
  }

  /** Records the best price that a trailing stop has seen; ignored for an ended order. */
  trail(clientOrderId: string, best: Ticks): void {
    const tracked = this.#known(clientOrderId)
    if (isWorking(tracked.order.status)) tracked.best = best
  }

  /** The best price that a trailing stop has seen since its anchor; `undefined` for any other order. */
  bestOf(clientOrderId: string): Ticks | undefined {
    const tracked = this.#find(clientOrderId)
    if (tracked?.order.request.spec.type !== 'trailingStop') return undefined
    return tracked.best ?? tracked.order.request.spec.anchor
  }

  /** All state of later results. */
  snapshot(): OrdersState {
    const { recent, older } = this.#generations()
    return {
      recent: recent.map(({ state }) => state),
      older: older.map(({ state }) => state),
      working: this.#working.map(({ request }) => request.clientOrderId),
      finished: this.#finished,
    }
  }

  /** Restores a snapshot; only before the first order. */
  restore({ recent, older, working, finished }: OrdersState): void {
    this.#index.addOlder(older.map(LedgerOrder.from))
    for (const state of recent) this.#index.add(LedgerOrder.from(state))
    for (const id of working) this.#working.push(this.#known(id).order)
    this.#finished = finished
  }

  /** A working order is in both generations after `forget`; it counts as recent. */
  #generations(): { readonly recent: readonly LedgerOrder[]; readonly older: readonly LedgerOrder[] } {
    const { recent, older } = this.#index.generations
    if (older === recent || older.length === 0) return { recent, older: [] }
    const seen = new Set(recent)
    return { recent, older: older.filter(tracked => !seen.has(tracked)) }
  }

  #find(clientOrderId: string): LedgerOrder | undefined {
    if (this.#latest?.id === clientOrderId) return this.#latest
    return this.#index.get(clientOrderId)
  }

  #known(clientOrderId: string): LedgerOrder {
    const tracked = this.#find(clientOrderId)
    if (tracked === undefined) throw new InvariantError(`No order has the id ${clientOrderId}.`)
    this.#latest = tracked
    return tracked
  }

  #store(tracked: LedgerOrder, order: Order): Order {
    const index = this.#working.indexOf(tracked.order)
    tracked.order = order
    if (isWorking(order.status)) this.#working[index < 0 ? this.#working.length : index] = order
    else if (index >= 0) this.#finish(index)
    return order
  }

  #finish(index: number): void {
    if (index === this.#working.length - 1) this.#working.pop()
    else this.#working.splice(index, 1)
    if (++this.#finished < this.#remembered) return
    this.#finished = 0
    this.#index.forget(this.#working.map(order => this.#known(order.request.clientOrderId)))
  }
}
