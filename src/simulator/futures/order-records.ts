import { BoundedList } from '../bounded-list.ts'
import type { FuturesOrder } from './futures-order.ts'
import type { FuturesTrade } from './futures-trade.ts'

/** Orders and trades of one account: waiting orders all, finished ones and trades the latest. */
export class OrderRecords {
  readonly #byId = new Map<bigint, FuturesOrder>()
  readonly #latestByClientId = new Map<string, FuturesOrder>()
  readonly #waiting = new Set<FuturesOrder>()
  readonly #finished: BoundedList<FuturesOrder>
  readonly #trades: BoundedList<FuturesTrade>

  /** Remembers `capacity` finished orders and as many trades. */
  constructor(capacity: number) {
    this.#finished = new BoundedList(capacity)
    this.#trades = new BoundedList(capacity)
  }

  /** Orders on the book and conditions that wait, newest first. */
  get waiting(): readonly FuturesOrder[] {
    return [...this.#waiting].reverse()
  }

  /** How many orders are remembered. */
  get size(): number {
    return this.#byId.size
  }

  /** Finished orders, the latest to finish first. */
  finished(): Generator<FuturesOrder> {
    return this.#finished.newestFirst()
  }

  /** Own trades, newest first. */
  trades(): Generator<FuturesTrade> {
    return this.#trades.newestFirst()
  }

  /** The order with an id. */
  byId(id: bigint): FuturesOrder | undefined {
    return this.#byId.get(id)
  }

  /** The latest order with a client order id: the exchange lets a client use one twice. */
  byClientId(clientOrderId: string): FuturesOrder | undefined {
    return this.#latestByClientId.get(clientOrderId)
  }

  /** Remembers a new order. */
  placed(order: FuturesOrder): void {
    this.#byId.set(order.id, order)
    this.#waiting.add(order)
    if (order.clientOrderId !== undefined) this.#latestByClientId.set(order.clientOrderId, order)
  }

  /** Remembers that an order is over. */
  ended(order: FuturesOrder): void {
    this.#waiting.delete(order)
    const forgotten = this.#finished.push(order)
    if (forgotten === undefined) return
    this.#byId.delete(forgotten.id)
    const clientOrderId = forgotten.clientOrderId ?? ''
    if (this.#latestByClientId.get(clientOrderId) === forgotten) this.#latestByClientId.delete(clientOrderId)
  }

  /** Remembers an own trade. */
  traded(trade: FuturesTrade): void {
    this.#trades.push(trade)
  }
}
