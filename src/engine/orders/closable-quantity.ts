import { NO_STEPS, type Steps, steps } from '../../domain/numbers/grid.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PositionBooks } from '../position-books.ts'
import type { UnfinishedExits } from './unfinished-exits.ts'
import { openQuantityOfAll, type WorkingOrders } from './working-orders.ts'

/** Position quantity not yet covered by working and unfinished exits. */
export class ClosableQuantity {
  readonly #books: PositionBooks
  readonly #ledger: Ledger
  readonly #orders: WorkingOrders
  readonly #unfinished: UnfinishedExits

  constructor(books: PositionBooks, ledger: Ledger, orders: WorkingOrders, unfinished: UnfinishedExits) {
    this.#books = books
    this.#ledger = ledger
    this.#orders = orders
    this.#unfinished = unfinished
  }

  /** The book that an order of a side closes. */
  bookOf(side: Side): string {
    return this.#books.of(side === 'buy' ? 'short' : 'long')
  }

  /** Steps that one more order of a side can close, beside all working exits (protective orders excluded). */
  by(side: Side): Steps {
    return this.#beside(side, this.#orders.exitsFrom(this.bookOf(side)))
  }

  /** Steps that the quotes of a set can close together. */
  byQuotes(name: string, side: Side): Steps {
    const exits = this.#orders.exitsFrom(this.bookOf(side))
    return this.#beside(
      side,
      exits.filter(({ request }) => request.terms?.quotes !== name),
    )
  }

  #beside(side: Side, exits: readonly Order[]): Steps {
    const position = this.#ledger.position(this.bookOf(side))
    if (position === undefined || (position.direction === 'long') === (side === 'buy')) return NO_STEPS
    const own = exits.filter(({ request }) => request.side === side)
    const leaving = openQuantityOfAll(own) + this.#unfinished.waitingOf(this.bookOf(side))
    return steps(Math.max(0, position.quantity - leaving))
  }
}
