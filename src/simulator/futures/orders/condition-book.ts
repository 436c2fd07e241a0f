import type { Ticks } from '../../../domain/numbers/grid.ts'
import type { Contract } from '../contract.ts'
import type { SimulatedFuturesOrder } from '../positions/futures-account.ts'

/** Orders that wait for their condition, in order of time. */
export class ConditionBook {
  readonly #waitMs: number
  readonly #waiting = new Set<SimulatedFuturesOrder>()

  /** A condition waits `waitMs` ms at most. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** The orders that wait, oldest first. */
  get waiting(): ReadonlySet<SimulatedFuturesOrder> {
    return this.#waiting
  }

  /** Lets an order wait. */
  add(order: SimulatedFuturesOrder): void {
    this.#waiting.add(order)
  }

  /** Removes an order; ignores one that does not wait here. */
  remove(order: SimulatedFuturesOrder): void {
    this.#waiting.delete(order)
  }

  /** Removes and returns the orders of a contract with a condition that `mark` fulfils. */
  takeFulfilled(contract: Contract, mark: Ticks): SimulatedFuturesOrder[] {
    if (this.#waiting.size === 0) return []
    const fulfilled = [...this.#waiting].filter(
      order => order.contract === contract && isFulfilled(order, mark),
    )
    for (const order of fulfilled) this.remove(order)
    return fulfilled
  }

  /** Orders that have waited too long at `now`, ms UTC. */
  expired(now: number): SimulatedFuturesOrder[] {
    return [...this.#waiting].filter(({ time }) => now - time >= this.#waitMs)
  }
}

function isFulfilled({ trigger }: SimulatedFuturesOrder, mark: Ticks): boolean {
  if (trigger === undefined) return false
  return trigger.direction === 'up' ? mark >= trigger.price : mark <= trigger.price
}
