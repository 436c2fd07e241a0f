import { NO_STEPS, type Steps } from '../../src/domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../../src/domain/orders/order.ts'
import { isMarketExit } from '../../src/engine/orders/unfinished-exits.ts'
import type { OrderEnding } from '../fills/order-ending.ts'

/** Orders of one instrument that the market ended before all of their quantity had traded. */
export interface CutOrders {
  readonly symbol: string
  readonly purpose: 'entry' | 'exit'
  readonly cause: OrderEnding
  readonly count: number
  /** Steps that these orders were to trade; of a sum beyond 2^53 the nearest double, as `untraded`. */
  readonly ordered: Steps
  /** Steps of these that did not trade. */
  readonly untraded: Steps
}

/** Sums up the orders that the market cut off, in order of the first of each kind. */
export class CutOrderTally {
  readonly #all = new Map<string, CutOrders>()

  get all(): readonly CutOrders[] {
    return [...this.#all.values()]
  }

  /** Takes in an order that the market ends. Protective orders, and exits at market, which go on, are left out. */
  push(order: Order, cause: OrderEnding): void {
    const { request } = order
    if (request.protects !== undefined || isMarketExit(request)) return
    const { symbol } = request
    const purpose = request.purpose === 'entry' ? 'entry' : 'exit'
    const key = `${cause} ${purpose} ${symbol}`
    const { count, ordered, untraded } = this.#all.get(key) ?? {
      ...{ count: 0, ordered: NO_STEPS, untraded: NO_STEPS },
    }
    const open = openQuantityOf(order)
    this.#all.set(key, {
      ...{ symbol, purpose, cause, count: count + 1 },
      ordered: (ordered + request.quantity) as Steps,
      untraded: (untraded + open) as Steps,
    })
  }
}
