import { bookOf } from '../../domain/book-names.ts'
import { type Steps, steps } from '../../domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../../domain/orders/order.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { type Direction, entrySideOf, exitSideOf } from '../../domain/orders/side.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PositionBooks } from '../position-books.ts'

/** The working orders of one strategy on one instrument, by purpose. */
export class WorkingOrders {
  readonly #ledger: Ledger
  readonly #books: PositionBooks

  constructor(ledger: Ledger, books: PositionBooks) {
    this.#ledger = ledger
    this.#books = books
  }

  /** True if no order of any book is working, so that every list below is empty. */
  get areNone(): boolean {
    return this.#ledger.orders.working.length === 0
  }

  /** True while an entry or an exit of these books works; protective orders stay with what cannot be closed. */
  get areEntriesOrExits(): boolean {
    return this.#working(({ protects }) => protects === undefined).length > 0
  }

  entries(): readonly Order[] {
    return this.#working(({ purpose }) => purpose === 'entry')
  }

  /** Resting entries, including quotes; only those with `tag`, or of a direction, if given. */
  restingEntries(tag?: string, direction?: Direction): readonly Order[] {
    return this.#working(
      request =>
        request.purpose === 'entry' &&
        request.spec.type !== 'market' &&
        (tag === undefined || request.tag === tag) &&
        (direction === undefined || request.side === entrySideOf(direction)),
    )
  }

  /** Resting entries without quotes, which only another declaration replaces. */
  unquotedEntries(tag: string | undefined): readonly Order[] {
    return this.restingEntries(tag).filter(({ request }) => request.terms?.quotes === undefined)
  }

  /** Orders of a set of quotes. */
  quotes(name: string): readonly Order[] {
    return this.#working(({ terms }) => terms?.quotes === name)
  }

  /**
   * Resting entries that a new entry with this tag replaces: all but quotes, and kept entries under another
   * tag.
   */
  entriesReplacedBy(tag: string | undefined): readonly Order[] {
    return this.#working(
      request =>
        request.purpose === 'entry' &&
        request.spec.type !== 'market' &&
        request.terms?.quotes === undefined &&
        (request.terms?.keep !== true || (tag !== undefined && request.tag === tag)),
    )
  }

  /** Other entries of an order's group. */
  groupOf({ clientOrderId, terms }: OrderRequest): readonly Order[] {
    const group = terms?.oco
    if (group === undefined) return NO_ORDERS
    return this.#working(request => request.terms?.oco === group && request.clientOrderId !== clientOrderId)
  }

  /** True if `marketEntries` of any direction is not empty. */
  get hasMarketEntries(): boolean {
    for (const { request } of this.#ledger.orders.working)
      if (request.purpose === 'entry' && request.spec.type === 'market' && this.#books.has(request))
        return true
    return false
  }

  marketEntries(direction: Direction): readonly Order[] {
    return this.#working(
      ({ purpose, spec, side }) =>
        purpose === 'entry' && spec.type === 'market' && side === entrySideOf(direction),
    )
  }

  /** Working exits of a book, without protective orders. */
  exitsFrom(book: string): readonly Order[] {
    return this.#working(request => isExit(request) && bookOf(request) === book)
  }

  /** Exits of books that are flat, or have reversed, so that they would add to the position. */
  idleExits(): readonly Order[] {
    return this.#working(request => isExit(request) && !this.#hasToClose(request))
  }

  marketExits(book: string): readonly Order[] {
    return this.#working(
      request => isExit(request) && request.spec.type === 'market' && bookOf(request) === book,
    )
  }

  /** True if `restingExits` is not empty. */
  get hasRestingExits(): boolean {
    for (const { request } of this.#ledger.orders.working)
      if (isExit(request) && request.spec.type !== 'market' && this.#books.has(request)) return true
    return false
  }

  /** Resting exits; only those of positions of a direction, if given. */
  restingExits(direction?: Direction): readonly Order[] {
    return this.#working(
      request =>
        isExit(request) &&
        request.spec.type !== 'market' &&
        (direction === undefined || request.side === exitSideOf(direction)),
    )
  }

  #hasToClose(exit: OrderRequest): boolean {
    const position = this.#ledger.position(bookOf(exit))
    return position !== undefined && exit.side === exitSideOf(position.direction)
  }

  #working(belongs: (request: OrderRequest) => boolean): readonly Order[] {
    if (this.areNone) return NO_ORDERS
    return this.#ledger.orders.working.filter(({ request }) => this.#books.has(request) && belongs(request))
  }
}

/** Shared empty list of orders. */
export const NO_ORDERS: readonly Order[] = []

function isExit({ reduceOnly, protects }: OrderRequest): boolean {
  return reduceOnly && protects === undefined
}

/** Shared empty list of ids. */
export const NO_IDS: readonly string[] = []

export function idsOf(orders: readonly Order[]): readonly string[] {
  return orders.length === 0 ? NO_IDS : orders.map(({ request }) => request.clientOrderId)
}

/** Total open quantity of orders. */
export function openQuantityOfAll(orders: readonly Order[]): Steps {
  let quantity = 0
  for (const order of orders) quantity += openQuantityOf(order)
  return steps(quantity)
}
