import { bookOf } from '../domain/book-names.ts'
import { type Steps, steps } from '../domain/grid.ts'
import { type Order, openQuantityOf } from '../domain/order.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import { type Direction, entrySideOf } from '../domain/side.ts'
import type { Ledger } from '../ledger/ledger.ts'

/** The working orders of one book, by what they are for. */
export class OwnOrders {
  readonly #ledger: Ledger
  readonly #book: string

  constructor(ledger: Ledger, book: string) {
    this.#ledger = ledger
    this.#book = book
  }

  /** Whether no order of any book is working, so that every list below is empty. */
  get areNone(): boolean {
    return this.#ledger.orders.working.length === 0
  }

  /** Entries that rest (those with `tag` only, where one is given). */
  restingEntries(tag?: string): readonly Order[] {
    return this.#working(
      request =>
        request.purpose === 'entry' &&
        request.spec.type !== 'market' &&
        (tag === undefined || request.tag === tag),
    )
  }

  /** Market entries on their way. */
  marketEntries(direction: Direction): readonly Order[] {
    return this.#working(
      ({ purpose, spec, side }) =>
        purpose === 'entry' && spec.type === 'market' && side === entrySideOf(direction),
    )
  }

  /** Exits on their way or resting, protective orders apart. */
  exits(): readonly Order[] {
    return this.#working(isExit)
  }

  /** Exits at market on their way. */
  marketExits(): readonly Order[] {
    return this.#working(request => isExit(request) && request.spec.type === 'market')
  }

  /** Exits that rest. */
  restingExits(): readonly Order[] {
    return this.#working(request => isExit(request) && request.spec.type !== 'market')
  }

  #working(belongs: (request: OrderRequest) => boolean): readonly Order[] {
    if (this.areNone) return NO_ORDERS
    return this.#ledger.orders.working.filter(
      ({ request }) => bookOf(request) === this.#book && belongs(request),
    )
  }
}

const NO_ORDERS: readonly Order[] = []

function isExit({ reduceOnly, protects }: OrderRequest): boolean {
  return reduceOnly && protects === undefined
}

const NO_IDS: readonly string[] = []

/** The ids of orders. */
export function idsOf(orders: readonly Order[]): readonly string[] {
  return orders.length === 0 ? NO_IDS : orders.map(({ request }) => request.clientOrderId)
}

/** What orders can still fill together. */
export function openQuantityOfAll(orders: readonly Order[]): Steps {
  let quantity = 0
  for (const order of orders) quantity += openQuantityOf(order)
  return steps(quantity)
}
