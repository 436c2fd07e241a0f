import { BoundedList } from '../bounded-list.ts'
import type { SimulatedOwnTrade } from './own-trade.ts'
import type { SimulatedSpotOrder } from './spot-order.ts'

/** The parts of an order that a history uses. */
interface NamedOrder {
  readonly id: bigint
  readonly clientOrderId: string | undefined
}

/** A history as plain data but for its orders. */
export interface OrderHistoryState<Order, Trade> {
  readonly byId: ReadonlyMap<bigint, Order>
  readonly latestByClientId: ReadonlyMap<string, Order>
  readonly open: ReadonlySet<Order>
  /** Oldest first, as are the trades. */
  readonly finished: readonly Order[]
  readonly trades: readonly Trade[]
}

/** Orders and trades of one account, spot or futures: open orders all, finished ones and trades the latest. */
export class OrderHistory<Order extends NamedOrder = SimulatedSpotOrder, Trade = SimulatedOwnTrade> {
  readonly #byId = new Map<bigint, Order>()
  readonly #latestByClientId = new Map<string, Order>()
  readonly #open = new Set<Order>()
  readonly #finished: BoundedList<Order>
  readonly #trades: BoundedList<Trade>

  /** Keeps the newest `kept` finished orders, and as many own trades. */
  constructor(kept: number) {
    this.#finished = new BoundedList(kept)
    this.#trades = new BoundedList(kept)
  }

  /** All of it. */
  dump(): OrderHistoryState<Order, Trade> {
    return {
      byId: this.#byId,
      latestByClientId: this.#latestByClientId,
      open: this.#open,
      finished: [...this.#finished.oldestFirst()],
      trades: [...this.#trades.oldestFirst()],
    }
  }

  /** Restores a dump into an empty history. */
  restore({ byId, latestByClientId, open, finished, trades }: OrderHistoryState<Order, Trade>): void {
    for (const [id, order] of byId) this.#byId.set(id, order)
    for (const [id, order] of latestByClientId) this.#latestByClientId.set(id, order)
    for (const order of open) this.#open.add(order)
    this.#finished.restore(finished)
    this.#trades.restore(trades)
  }

  get openCount(): number {
    return this.#open.size
  }

  /** Number of stored orders. */
  get size(): number {
    return this.#byId.size
  }

  /** Finished orders, the latest to finish first. */
  finished(): Generator<Order> {
    return this.#finished.newestFirst()
  }

  /** Open orders, newest first; conditions that wait are among them. */
  get openOrders(): readonly Order[] {
    return [...this.#open].reverse()
  }

  /** Every order that is remembered, newest first. */
  get orders(): readonly Order[] {
    return [...this.#byId.values()].reverse()
  }

  /** Own trades, newest first. */
  trades(): Generator<Trade> {
    return this.#trades.newestFirst()
  }

  byId(id: bigint): Order | undefined {
    return this.#byId.get(id)
  }

  /** The latest order with a client order id: the exchange allows repetitions. */
  byClientId(clientOrderId: string): Order | undefined {
    return this.#latestByClientId.get(clientOrderId)
  }

  /** Remembers a new order. */
  placed(order: Order): void {
    this.#byId.set(order.id, order)
    this.#open.add(order)
    if (order.clientOrderId !== undefined) this.#latestByClientId.set(order.clientOrderId, order)
  }

  /** Records that an order has ended. */
  ended(order: Order): void {
    this.#open.delete(order)
    const forgotten = this.#finished.push(order)
    if (forgotten === undefined) return
    this.#byId.delete(forgotten.id)
    const clientOrderId = forgotten.clientOrderId ?? ''
    if (this.#latestByClientId.get(clientOrderId) === forgotten) this.#latestByClientId.delete(clientOrderId)
  }

  /** Remembers an own trade. */
  traded(trade: Trade): void {
    this.#trades.push(trade)
  }
}
