import type { KlineSeries } from '../../src/domain/market-data/kline-series.ts'
import { type Steps, steps } from '../../src/domain/numbers/grid.ts'
import { type ModelOrder, type QuietRange, staysQuiet } from './model-order.ts'

/** The orders that a fill model holds, in the order in which they were placed. */
export class RestingOrders {
  /**
   * Orders that may trade. A loop that fills must start over after each fill, because fills place and cancel
   * orders.
   */
  readonly all: ModelOrder[] = []
  /** Orders placed during the walk of a kline, which wait for the next. */
  readonly #arriving: ModelOrder[] = []

  get isEmpty(): boolean {
    return this.all.length === 0
  }

  /** Adds an order after the present kline. */
  arrive(order: ModelOrder): void {
    this.#arriving.push(order)
  }

  /** Ends the kline: arrived orders rest from now on. */
  welcome(): void {
    if (this.#arriving.length === 0) return
    this.all.push(...this.#arriving)
    this.#arriving.length = 0
  }

  /** Takes an order out, wherever it is. */
  cancel(clientOrderId: string): void {
    this.takeOut(clientOrderId)
    takeOutOf(this.#arriving, clientOrderId)
  }

  /** Takes a resting order out; `false` where it does not rest (any more). */
  takeOut(clientOrderId: string): boolean {
    return takeOutOf(this.all, clientOrderId)
  }

  /** Gives an order a new total quantity. */
  resize(clientOrderId: string, quantity: Steps): void {
    for (const order of [...this.all, ...this.#arriving]) {
      if (order.request.clientOrderId !== clientOrderId) continue
      order.quantity = steps(Math.max(0, quantity - order.filledQuantity))
    }
  }

  /** The first of the rows `from` to `to - 1` that orders may trade on or change by, or `to`; those before it need not be shown. */
  quietUntil({ low, high }: KlineSeries, from: number, to: number): number {
    const range: QuietRange = { floor: Number.NEGATIVE_INFINITY, ceiling: Number.POSITIVE_INFINITY }
    for (const order of this.all) if (!staysQuiet(order, range)) return from
    const { floor, ceiling } = range
    let row = from
    while (row < to && (low[row] as number) > floor && (high[row] as number) < ceiling) row++ // rows exist
    return row
  }
}

function takeOutOf(orders: ModelOrder[], clientOrderId: string): boolean {
  for (let index = 0; index < orders.length; index++) {
    if (orders[index]?.request.clientOrderId !== clientOrderId) continue
    if (index === orders.length - 1) orders.pop()
    else orders.splice(index, 1)
    return true
  }
  return false
}
