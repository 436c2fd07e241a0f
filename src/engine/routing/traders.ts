import { bookOf } from '../../domain/book-names.ts'
import type { TradingScope } from '../../domain/events/trading-hold.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { Desk } from '../strategy/desk.ts'
import type { MarketDesk } from '../strategy/market-desk.ts'

/** One instrument that a strategy trades. */
export interface Trader {
  readonly desk: Desk
  readonly market: MarketDesk
}

/** Everything that is traded, by the books that it is held in. */
export class Traders {
  /** In the order of their declaration. */
  readonly all: readonly Trader[]
  readonly #byBook: ReadonlyMap<string, Trader>
  /** Most events are about the book of the event before. */
  #latestBook: string | undefined
  #latest: Trader | undefined

  constructor(desks: readonly Desk[]) {
    this.all = desks.flatMap(desk => desk.markets.map((market): Trader => ({ desk, market })))
    this.#byBook = new Map(
      this.all.flatMap(trader => {
        const { book, books } = trader.market
        return [book, ...books.all].map(name => [name, trader] as const)
      }),
    )
  }

  /** Whether somebody trades in a book. */
  has(book: string): boolean {
    return this.#byBook.has(book)
  }

  /** Who trades in a book; throws `InvariantError` where nobody does. */
  of(book: string): Trader {
    if (this.#latestBook === book && this.#latest !== undefined) return this.#latest
    const trader = this.#byBook.get(book)
    if (trader === undefined) throw new InvariantError(`No strategy trades in the book ${book}.`)
    this.#latestBook = book
    this.#latest = trader
    return trader
  }

  /** Whose an order is. */
  ofOrder(request: { readonly symbol: string; readonly book?: string | undefined }): Trader {
    return this.of(bookOf(request))
  }

  /** Whom an event means: who trades in a book, or all who trade a symbol. */
  meant({ symbol, book }: { readonly symbol: string; readonly book?: string }): readonly Trader[] {
    return book === undefined ? this.all.filter(({ market }) => market.symbol === symbol) : [this.of(book)]
  }

  /** Who lies in a scope. */
  in({ symbol, book }: TradingScope): readonly Trader[] {
    return this.all.filter(
      ({ market }) =>
        (symbol === undefined || market.symbol === symbol) && (book === undefined || market.book === book),
    )
  }
}
