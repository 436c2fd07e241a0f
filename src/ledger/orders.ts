import type { Fill } from '../domain/fill.ts'
import { steps } from '../domain/grid.ts'
import { type Order, openQuantityOf, pendingOrder } from '../domain/order.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import { isWorking, nextStatus, type OrderEventType } from '../domain/order-status.ts'
import { InvariantError } from '../domain/sluice-error.ts'

/** Finished orders that are remembered for late fills; older ones are forgotten, so that memory stays bounded. */
const REMEMBERED_FINISHED_ORDERS = 10_000

/** What an order update tells beside the event itself. */
export interface OrderUpdateDetails {
  readonly exchangeOrderId?: string | undefined
  readonly reason?: string | undefined
}

/** All our orders by clientOrderId; every change goes through the transition table. */
export class Orders {
  readonly #orders = new Map<string, Order>()
  readonly #working = new Map<string, Order>()
  /** Fills already booked, by order. */
  readonly #fillIds = new Map<string, Set<string>>()
  readonly #finished: string[] = []
  #forgotten = 0

  /** Orders that can still trade, in order of their placement. */
  get working(): ReadonlyMap<string, Order> {
    return this.#working
  }

  get(clientOrderId: string): Order | undefined {
    return this.#orders.get(clientOrderId)
  }

  /** Takes a new order in; throws `InvariantError` for an id that exists. */
  add(request: OrderRequest): Order {
    if (this.#orders.has(request.clientOrderId)) {
      throw new InvariantError(`Order ${request.clientOrderId} exists already; one intent gives one order.`)
    }
    return this.#store(pendingOrder(request))
  }

  /** Applies an event; throws `InvariantError` for an unknown order or an illegal transition. */
  update(clientOrderId: string, event: OrderEventType, details: OrderUpdateDetails = {}): Order {
    const order = this.#known(clientOrderId)
    const exchangeOrderId = details.exchangeOrderId ?? order.exchangeOrderId
    const reason = details.reason ?? order.reason
    return this.#store({
      ...order,
      status: nextStatus(order.status, event),
      ...(exchangeOrderId !== undefined && { exchangeOrderId }),
      ...(reason !== undefined && { reason }),
    })
  }

  /** Books a fill on its order, or returns `undefined` for one that was booked before; throws `InvariantError` beyond the ordered quantity. */
  fill(fill: Fill): Order | undefined {
    const order = this.#known(fill.clientOrderId)
    const ids = this.#fillIds.get(fill.clientOrderId) ?? new Set()
    if (ids.has(fill.id)) return undefined
    const filledQuantity = steps(order.filledQuantity + fill.quantity)
    if (filledQuantity > order.request.quantity) {
      throw new InvariantError(
        `Fill ${fill.id} would bring order ${fill.clientOrderId} to ${filledQuantity} steps, but only ${order.request.quantity} were ordered.`,
      )
    }
    const event = filledQuantity === order.request.quantity ? 'filled' : 'partlyFilled'
    const status = nextStatus(order.status, event)
    this.#fillIds.set(fill.clientOrderId, ids.add(fill.id))
    return this.#store({ ...order, filledQuantity, status })
  }

  /** Gives a working order a new total quantity; throws `InvariantError` below what is filled, and for an order that is over. */
  resize(clientOrderId: string, quantity: Order['request']['quantity']): Order {
    const order = this.#known(clientOrderId)
    if (!isWorking(order.status))
      throw new InvariantError(`Order ${clientOrderId} is ${order.status}; it has no size to change.`)
    const resized = { ...order, request: { ...order.request, quantity } }
    openQuantityOf(resized)
    return this.#store(resized)
  }

  #known(clientOrderId: string): Order {
    const order = this.#orders.get(clientOrderId)
    if (order === undefined) throw new InvariantError(`No order has the id ${clientOrderId}.`)
    return order
  }

  #store(order: Order): Order {
    const id = order.request.clientOrderId
    this.#orders.set(id, order)
    if (isWorking(order.status)) this.#working.set(id, order)
    else if (this.#working.delete(id)) this.#remember(id)
    return order
  }

  #remember(id: string): void {
    this.#finished.push(id)
    if (this.#finished.length - this.#forgotten <= REMEMBERED_FINISHED_ORDERS) return
    const oldest = this.#finished[this.#forgotten++]
    if (oldest !== undefined && !this.#working.has(oldest)) {
      this.#orders.delete(oldest)
      this.#fillIds.delete(oldest)
    }
    if (this.#forgotten >= REMEMBERED_FINISHED_ORDERS) {
      this.#finished.splice(0, this.#forgotten)
      this.#forgotten = 0
    }
  }
}
