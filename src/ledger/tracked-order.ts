import type { Order } from '../domain/order.ts'

/** An order as it is now, and the ids of the fills that made it so. */
export class TrackedOrder {
  order: Order
  /** Nearly every order has one fill, so a set is only made for a second. */
  #firstFill: string | undefined
  #moreFills: Set<string> | undefined

  constructor(order: Order) {
    this.order = order
  }

  get id(): string {
    return this.order.request.clientOrderId
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
