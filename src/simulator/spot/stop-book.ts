import type { Ticks } from '../../domain/numbers/grid.ts'
import type { SimulatedSpotOrder } from './spot-order.ts'

/** Which way the price must go to reach a trigger. */
type Direction = 'up' | 'down'

/** Stop orders that wait, by the way to their triggers. */
export type StopBookState = ReadonlyMap<SimulatedSpotOrder, Direction>

/** The stop orders of one market that wait for a print at or beyond their trigger price. */
export class StopBook {
  readonly #waiting = new Map<SimulatedSpotOrder, Direction>()

  /** The orders that wait, oldest first. */
  get waiting(): readonly SimulatedSpotOrder[] {
    return [...this.#waiting.keys()]
  }

  /** True if an order waits here. */
  has(order: SimulatedSpotOrder): boolean {
    return this.#waiting.has(order)
  }

  /** All of it; its orders are those of the account. */
  dump(): StopBookState {
    return this.#waiting
  }

  /** Restores a dump. */
  restore(waiting: StopBookState): void {
    for (const [order, direction] of waiting) this.#waiting.set(order, direction)
  }

  /**
   * Adds a waiting stop order; `false` if the price is already at its trigger. The present price decides the
   * direction, rise or fall, so that one type serves for stop-loss and take-profit; without a price, a buy
   * waits for a rise and a sell for a fall.
   */
  add(order: SimulatedSpotOrder, reference: Ticks | undefined): boolean {
    const { triggerPrice, side } = order
    if (triggerPrice === undefined || triggerPrice === reference) return false
    const isAbove = reference === undefined ? side === 'buy' : triggerPrice > reference
    this.#waiting.set(order, isAbove ? 'up' : 'down')
    return true
  }

  /** Removes an order; ignores one that does not wait here. */
  remove(order: SimulatedSpotOrder): void {
    this.#waiting.delete(order)
  }

  /** Removes and returns the orders that a print at `price` triggers, oldest first. */
  takeTriggered(price: Ticks): readonly SimulatedSpotOrder[] {
    if (this.#waiting.size === 0) return []
    const triggered = [...this.#waiting].filter(([{ triggerPrice = price }, direction]) =>
      direction === 'up' ? price >= triggerPrice : price <= triggerPrice,
    )
    for (const [order] of triggered) this.#waiting.delete(order)
    return triggered.map(([order]) => order)
  }
}
