import { type Steps, steps, type Ticks } from '../../domain/numbers/grid.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { OrderSize, SimulatedSpotOrder } from './spot-order.ts'

/** The parts of a resting order that a book uses; its size is in base, or in contracts. */
export interface RestingOrder {
  readonly side: Side
  readonly size: OrderSize
  /** None for an order that cannot rest. */
  readonly price: Ticks | undefined
  readonly executedQuantity: Steps
}

/** Everything that rests at one price. */
export interface BookLevel<Order extends RestingOrder = SimulatedSpotOrder> {
  readonly price: Ticks
  /** In order of time. */
  readonly orders: Order[]
}

/** The levels of both sides, the best price last. */
export type OrderBookState<Order extends RestingOrder> = Readonly<Record<Side, readonly BookLevel<Order>[]>>

/** The resting orders of one instrument by price, then time. */
export class OrderBook<Order extends RestingOrder = SimulatedSpotOrder> {
  /** Per side, the best price last. */
  readonly #levels: Readonly<Record<Side, BookLevel<Order>[]>> = { buy: [], sell: [] }

  /** All of it; its orders are those of the accounts. */
  dump(): OrderBookState<Order> {
    return this.#levels
  }

  /** Restores a dump. */
  restore({ buy, sell }: OrderBookState<Order>): void {
    this.#levels.buy.splice(0, Number.POSITIVE_INFINITY, ...buy)
    this.#levels.sell.splice(0, Number.POSITIVE_INFINITY, ...sell)
  }

  /** Adds an order behind those already resting at its price. */
  add(order: Order, price: Ticks): void {
    const levels = this.#levels[order.side]
    const index = this.#indexOf(order.side, price)
    const level = levels[index]
    if (level?.price === price) level.orders.push(order)
    else levels.splice(index, 0, { price, orders: [order] })
  }

  /** Removes an order; ignores one that does not rest here. */
  remove(order: Order): void {
    if (order.price === undefined) return
    const index = this.#indexOf(order.side, order.price)
    const level = this.#levels[order.side][index]
    if (level?.price !== order.price) return
    const position = level.orders.indexOf(order)
    if (position >= 0) level.orders.splice(position, 1)
    if (level.orders.length === 0) this.#levels[order.side].splice(index, 1)
  }

  /** The level that trades first on a side. */
  best(side: Side): BookLevel<Order> | undefined {
    return this.#levels[side].at(-1)
  }

  /** The levels of a side, best first. */
  *levels(side: Side): Generator<BookLevel<Order>> {
    const levels = this.#levels[side]
    for (let index = levels.length - 1; index >= 0; index--) yield levels[index] as BookLevel<Order> // within bounds
  }

  /** Base resting on `side` at `limit` or at a price better for the taker. */
  quantityWithin(side: Side, limit: Ticks): Steps {
    let total = 0
    for (const level of this.levels(side)) {
      if (side === 'sell' ? level.price > limit : level.price < limit) break
      total += quantityAt(level)
    }
    return steps(total)
  }

  /** Index of a price's level, or of its insertion. */
  #indexOf(side: Side, price: Ticks): number {
    const levels = this.#levels[side]
    let [from, to] = [0, levels.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const at = (levels[middle] as BookLevel<Order>).price // within bounds
      if (side === 'buy' ? at < price : at > price) from = middle + 1
      else to = middle
    }
    return from
  }
}

/** Base that rests at one level. */
export function quantityAt({ orders }: BookLevel<RestingOrder>): Steps {
  return steps(orders.reduce((total, order) => total + restingQuantity(order), 0))
}

/** Remaining quantity of a resting order; orders by quote amount never rest. */
function restingQuantity({ size, executedQuantity }: RestingOrder): number {
  return size.unit === 'base' ? size.quantity - executedQuantity : 0
}
