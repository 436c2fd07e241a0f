import type { Direction } from '../domain/orders/side.ts'
import type { Position } from '../domain/position.ts'
import { EMPTY_HOLDING, type Holding } from './fill-position.ts'
import type { LedgerMarket, MarketPrices } from './market-prices.ts'

/** State of one book, as plain data. */
export interface BookState {
  readonly name: string
  readonly symbol: string
  readonly holding: Holding
}

/** Position of one instrument under one name. */
export interface Book {
  readonly name: string
  readonly market: LedgerMarket
  holding: Holding
}

const NO_BOOKS: readonly Book[] = []

/** Positions by book name: the symbol, unless orders name another book. */
export class Books {
  readonly #prices: MarketPrices
  readonly #byName = new Map<string, Book>()
  /** The same by the place of their instrument. */
  readonly #byMarket: readonly Book[][]
  /** Most questions are about the book of the question before. */
  #latest: Book | undefined

  constructor(prices: MarketPrices) {
    this.#prices = prices
    this.#byMarket = prices.all.map(() => [])
    for (const market of prices.all) this.#open(market.instrument.symbol, market)
  }

  /** The book of a name; `undefined` if it never had a position. */
  find(name: string): Book | undefined {
    if (this.#latest?.name === name) return this.#latest
    const book = this.#byName.get(name)
    if (book !== undefined) this.#latest = book
    return book
  }

  /** The book of a name, opened for an instrument if there is none yet. */
  of(name: string, symbol: string): Book {
    const known = this.find(name)
    if (known !== undefined) return known
    const book = this.#open(name, this.#prices.of(symbol))
    this.#latest = book
    return book
  }

  /** Steps of an instrument held in one direction over all books, without netting the opposite direction. */
  grossQuantity(symbol: string, direction: Direction): number {
    let gross = 0
    for (const { holding } of this.#of(symbol)) {
      const { position } = holding
      if (position !== undefined && position.direction === direction) gross += position.quantity
    }
    return gross
  }

  /** Signed steps that all books of an instrument hold together; negative is short. */
  netQuantity(symbol: string): number {
    let net = 0
    for (const { holding } of this.#of(symbol)) {
      const { position } = holding
      if (position !== undefined)
        net += position.direction === 'long' ? position.quantity : -position.quantity
    }
    return net
  }

  /** Open positions of an instrument, one of each book. */
  positionsOf(symbol: string): readonly Position[] {
    return this.#of(symbol).flatMap(({ holding: { position } }) => (position === undefined ? [] : [position]))
  }

  snapshot(): readonly BookState[] {
    return Array.from(this.#byName.values(), ({ name, market, holding }) => ({
      name,
      symbol: market.instrument.symbol,
      holding,
    }))
  }

  /**
   * Restores a snapshot. Skips empty books of unknown instruments; throws `InvariantError` if such a book has
   * a position.
   */
  restore(books: readonly BookState[]): void {
    for (const { name, symbol, holding } of books)
      if (holding.position !== undefined || this.#prices.has(symbol)) this.of(name, symbol).holding = holding
  }

  #of(symbol: string): readonly Book[] {
    const market = this.#prices.find(symbol)
    return market === undefined ? NO_BOOKS : (this.#byMarket[market.index] as readonly Book[]) // one list for each
  }

  #open(name: string, market: LedgerMarket): Book {
    const book = { name, market, holding: EMPTY_HOLDING }
    this.#byName.set(name, book)
    this.#byMarket[market.index]?.push(book)
    return book
  }
}
