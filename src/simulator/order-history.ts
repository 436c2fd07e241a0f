import { BoundedList } from './bounded-list.ts'
import type { OwnTrade } from './own-trade.ts'
import type { SpotOrder } from './spot-order.ts'

/** Orders and trades of one account: open orders all, finished ones and trades the latest. */
export class OrderHistory {
  readonly #byId = new Map<bigint, SpotOrder>()
  readonly #latestByClientId = new Map<string, SpotOrder>()
  readonly #open = new Set<SpotOrder>()
  readonly #finished: BoundedList<SpotOrder>
  readonly #trades: BoundedList<OwnTrade>

  /** Keeps the newest `kept` finished orders, and as many own trades. */
  constructor(kept: number) {
    this.#finished = new BoundedList(kept)
    this.#trades = new BoundedList(kept)
  }

  /** How many orders are open. */
  get openCount(): number {
    return this.#open.size
  }

  /** Open orders, newest first. */
  get openOrders(): readonly SpotOrder[] {
    return [...this.#open].reverse()
  }

  /** Every order that is remembered, newest first. */
  get orders(): readonly SpotOrder[] {
    return [...this.#byId.values()].reverse()
  }

  /** Own trades, newest first. */
  trades(): Generator<OwnTrade> {
    return this.#trades.newestFirst()
  }

  /** The order with an id. */
  byId(id: bigint): SpotOrder | undefined {
    return this.#byId.get(id)
  }

  /** The latest order with a client order id: the exchange lets a client use one twice. */
  byClientId(clientOrderId: string): SpotOrder | undefined {
    return this.#latestByClientId.get(clientOrderId)
  }

  /** Remembers a new order. */
  placed(order: SpotOrder): void {
    this.#byId.set(order.id, order)
    this.#open.add(order)
    if (order.clientOrderId !== undefined) this.#latestByClientId.set(order.clientOrderId, order)
  }

  /** Remembers that an order is over. */
  finished(order: SpotOrder): void {
    this.#open.delete(order)
    const forgotten = this.#finished.push(order)
    if (forgotten === undefined) return
    this.#byId.delete(forgotten.id)
    const clientOrderId = forgotten.clientOrderId ?? ''
    if (this.#latestByClientId.get(clientOrderId) === forgotten) this.#latestByClientId.delete(clientOrderId)
  }

  /** Remembers an own trade. */
  traded(trade: OwnTrade): void {
    this.#trades.push(trade)
  }
}
