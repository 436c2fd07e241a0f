import { bookOf } from '../../domain/book-names.ts'
import type { TradingScope } from '../../domain/events/trading-hold.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { MarketTrader } from '../strategy/market-trader.ts'
import type { StrategyRunner } from '../strategy/strategy-runner.ts'

/** One instrument that a strategy trades. */
export interface BookOwner {
  readonly runner: StrategyRunner
  readonly market: MarketTrader
}

/** All traded markets, by book. */
export class BookOwners {
  /** In the order of their declaration. */
  readonly all: readonly BookOwner[]
  readonly #byBook: ReadonlyMap<string, BookOwner>
  /** Cached lookup: most events concern the same book as the event before. */
  #latestBook: string | undefined
  #latest: BookOwner | undefined

  constructor(runners: readonly StrategyRunner[]) {
    this.all = runners.flatMap(runner => runner.markets.map((market): BookOwner => ({ runner, market })))
    this.#byBook = new Map(
      this.all.flatMap(owner => {
        const { book, books } = owner.market
        return [book, ...books.all].map(name => [name, owner] as const)
      }),
    )
  }

  has(book: string): boolean {
    return this.#byBook.has(book)
  }

  /** Owner of a book; throws `InvariantError` without one. */
  of(book: string): BookOwner {
    if (this.#latestBook === book && this.#latest !== undefined) return this.#latest
    const owner = this.#byBook.get(book)
    if (owner === undefined) throw new InvariantError(`No strategy trades in the book ${book}.`)
    this.#latestBook = book
    this.#latest = owner
    return owner
  }

  ofOrder(request: { readonly symbol: string; readonly book?: string | undefined }): BookOwner {
    return this.of(bookOf(request))
  }

  /** Owners concerned by an event: that of a book, or all of a symbol. */
  meant({ symbol, book }: { readonly symbol: string; readonly book?: string }): readonly BookOwner[] {
    return book === undefined ? this.all.filter(({ market }) => market.symbol === symbol) : [this.of(book)]
  }

  in({ symbol, book }: TradingScope): readonly BookOwner[] {
    return this.all.filter(
      ({ market }) =>
        (symbol === undefined || market.symbol === symbol) && (book === undefined || market.book === book),
    )
  }
}
