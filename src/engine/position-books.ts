import { bookOf, hasTwoBooks, sideBook } from '../domain/book-names.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import type { Direction } from '../domain/orders/side.ts'

/** The books of one strategy's positions in one instrument: one, or two where long and short positions are held side by side. */
export class PositionBooks {
  /** Without doubles. */
  readonly all: readonly string[]
  /** Whether there are two. */
  readonly areTwo: boolean
  readonly #long: string
  readonly #short: string

  /** `name` is the one book, and what the names of two begin with. */
  constructor(instrument: Instrument, name = instrument.symbol) {
    this.areTwo = hasTwoBooks(instrument)
    this.#long = sideBook(instrument, 'long', name)
    this.#short = sideBook(instrument, 'short', name)
    this.all = this.areTwo ? [this.#long, this.#short] : [name]
  }

  /** Where a position of a direction is held. */
  of(direction: Direction): string {
    return direction === 'long' ? this.#long : this.#short
  }

  /** Whether an order belongs to one of these books. */
  has(request: Pick<OrderRequest, 'symbol' | 'book'>): boolean {
    const book = bookOf(request)
    return book === this.#long || book === this.#short
  }
}
