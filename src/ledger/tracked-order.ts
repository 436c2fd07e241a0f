import type { Order } from '../domain/order.ts'

/** A tracked order as plain data. */
export interface TrackedOrderState {
  readonly order: Order
  /** Ids of its fills, in order. */
  readonly fills: readonly string[]
}

/** An order as it is now, and the ids of the fills that made it so. */
export class TrackedOrder {
  order: Order
  /** Nearly every order has one fill, so a set is only made for a second. */
  #firstFill: string | undefined
  #moreFills: Set<string> | undefined

  constructor(order: Order) {
    this.order = order
  }

  /** The order that a state was taken of. */
  static from({ order, fills }: TrackedOrderState): TrackedOrder {
    const tracked = new TrackedOrder(order)
    for (const fill of fills) tracked.noteFill(fill)
    return tracked
  }

  get state(): TrackedOrderState {
    return { order: this.order, fills: this.fills }
  }

  get id(): string {
    return this.order.request.clientOrderId
  }

  /** Ids of the fills, in order. */
  get fills(): readonly string[] {
    return this.#firstFill === undefined ? [] : [this.#firstFill, ...(this.#moreFills ?? [])]
  }

  /** Whether a fill was booked. */
  hasFill(id: string): boolean {
    return id === this.#firstFill || this.#moreFills?.has(id) === true
  }

  /** Notes a fill as booked. */
  noteFill(id: string): void {
    if (this.#firstFill === undefined) this.#firstFill = id
    else this.#moreFills = (this.#moreFills ?? new Set()).add(id)
  }
}
