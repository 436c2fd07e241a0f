import { bookOf, hasTwoBooks, sideBook } from '../domain/book-names.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import type { Direction } from '../domain/orders/side.ts'

/** The books of one strategy's positions in one instrument: one, or two in two-way mode. */
export class PositionBooks {
  /** Distinct names. */
  readonly all: readonly string[]
  /** True in two-way mode: one book per direction. */
  readonly areTwo: boolean
  readonly #long: string
  readonly #short: string

  /** `name` is the one book, or the prefix of two. */
  constructor(instrument: Instrument, name = instrument.symbol) {
    this.areTwo = hasTwoBooks(instrument)
    this.#long = sideBook(instrument, 'long', name)
    this.#short = sideBook(instrument, 'short', name)
    this.all = this.areTwo ? [this.#long, this.#short] : [name]
  }

  of(direction: Direction): string {
    return direction === 'long' ? this.#long : this.#short
  }

  /** True if an order belongs to one of these books. */
  has(request: Pick<OrderRequest, 'symbol' | 'book'>): boolean {
    const book = bookOf(request)
    return book === this.#long || book === this.#short
  }
}
