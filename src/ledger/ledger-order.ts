import type { Steps, Ticks } from '../domain/numbers/grid.ts'
import type { Order } from '../domain/orders/order.ts'

/** A tracked order as plain data. */
export interface LedgerOrderState {
  readonly order: Order
  /** Ids of its fills, in order. */
  readonly fills: readonly string[]
  /** The largest quantity that it ever had, where it was made smaller. */
  readonly most?: Steps | undefined
  /** The best price that a trailing stop has seen since its anchor, where that is better. */
  readonly best?: Ticks | undefined
}

/** An order as it is now, and the ids of the fills that made it so. */
export class LedgerOrder {
  /** Its clientOrderId. */
  readonly id: string
  order: Order
  /** Its largest quantity so far, if it was reduced: it may have been sent with that. */
  most: Steps | undefined
  /** The best price that a trailing stop has seen since its anchor, where that is better. */
  best: Ticks | undefined
  /** Nearly every order has one fill, so a set is only made for a second. */
  #firstFill: string | undefined
  #moreFills: Set<string> | undefined

  constructor(order: Order) {
    this.order = order
    this.id = order.request.clientOrderId
  }

  /** The order that a state was taken of. */
  static from({ order, fills, most, best }: LedgerOrderState): LedgerOrder {
    const tracked = new LedgerOrder(order)
    tracked.most = most
    tracked.best = best
    for (const fill of fills) tracked.noteFill(fill)
    return tracked
  }

  get state(): LedgerOrderState {
    const { order, fills, most, best } = this
    return { order, fills, ...(most !== undefined && { most }), ...(best !== undefined && { best }) }
  }

  /** Ids of the fills, in order. */
  get fills(): readonly string[] {
    return this.#firstFill === undefined ? [] : [this.#firstFill, ...(this.#moreFills ?? [])]
  }

  /** True if a fill was booked. */
  hasFill(id: string): boolean {
    return id === this.#firstFill || this.#moreFills?.has(id) === true
  }

  /** Marks a fill as booked. */
  noteFill(id: string): void {
    if (this.#firstFill === undefined) this.#firstFill = id
    else this.#moreFills = (this.#moreFills ?? new Set()).add(id)
  }
}
