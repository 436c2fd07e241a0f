import { type Steps, steps } from '../domain/grid.ts'
import { type Order, openQuantityOf } from '../domain/order.ts'
import { type Direction, entrySideOf } from '../domain/side.ts'
import type { Ledger } from '../ledger/ledger.ts'

/** The working orders of one instrument, by what they are for. */
export class OwnOrders {
  readonly #ledger: Ledger
  readonly #symbol: string

  constructor(ledger: Ledger, symbol: string) {
    this.#ledger = ledger
    this.#symbol = symbol
  }

  /** Entries that rest (those with `tag` only, where one is given). */
  restingEntries(tag?: string): readonly Order[] {
    return this.#working().filter(
      ({ request }) =>
        request.purpose === 'entry' &&
        request.spec.type !== 'market' &&
        (tag === undefined || request.tag === tag),
    )
  }

  /** Market entries on their way. */
  marketEntries(direction: Direction): readonly Order[] {
    return this.#working().filter(
      ({ request: { purpose, spec, side } }) =>
        purpose === 'entry' && spec.type === 'market' && side === entrySideOf(direction),
    )
  }

  /** Exits on their way or resting, protective orders apart. */
  exits(): readonly Order[] {
    return this.#working().filter(({ request }) => request.reduceOnly && request.protects === undefined)
  }

  /** Exits at market on their way. */
  marketExits(): readonly Order[] {
    return this.exits().filter(({ request }) => request.spec.type === 'market')
  }

  /** Exits that rest. */
  restingExits(): readonly Order[] {
    return this.exits().filter(({ request }) => request.spec.type !== 'market')
  }

  #working(): readonly Order[] {
    return [...this.#ledger.orders.working.values()].filter(({ request }) => request.symbol === this.#symbol)
  }
}

/** The ids of orders. */
export function idsOf(orders: readonly Order[]): readonly string[] {
  return orders.map(({ request }) => request.clientOrderId)
}

/** What orders can still fill together. */
export function openQuantityOfAll(orders: readonly Order[]): Steps {
  return steps(orders.reduce((sum, order) => sum + openQuantityOf(order), 0))
}
