import { bookNames } from '../../domain/book-names.ts'
import { clientOrderIdOwner } from '../../domain/orders/client-order-id.ts'

/** A strategy and its instruments. */
export interface TradingStrategy {
  readonly symbol: string
  /** Of its roles. */
  readonly markets?: Readonly<Record<string, { readonly symbol: string }>> | undefined
  /** Existing books, by role; that of its own instrument under ''. */
  readonly books?: Readonly<Record<string, string>> | undefined
  readonly strategy: { readonly name: string; readonly markets: readonly string[] }
}

/**
 * Prefixes of a bot's own order ids: by strategy, under every name that its book has had, which depends on
 * the other strategies of the symbol.
 */
export function ownPrefixes(bot: string, strategies: readonly TradingStrategy[]): readonly string[] {
  const traded = strategies.flatMap(({ symbol, markets = {}, strategy, books = {} }) =>
    ['', ...strategy.markets].map(role => ({
      symbol: markets[role]?.symbol ?? symbol,
      strategy,
      book: books[role],
    })),
  )
  const books = bookNames(traded)
  return traded.flatMap(({ symbol, strategy: { name } }, index) =>
    [...new Set([symbol, `${symbol}#${name}`, books[index] ?? symbol])].map(book =>
      clientOrderIdOwner({ bot, strategy: name, book }),
    ),
  )
}
