import { bookNames } from '../domain/book-names.ts'
import { clientOrderIdPrefix } from '../domain/client-order-id.ts'

/** What the ids of a bot's own orders begin with: by strategy, under every name that its book has had, which depends on who else trades the symbol. */
export function ownPrefixes(
  bot: string,
  strategies: readonly { readonly symbol: string; readonly strategy: { readonly name: string } }[],
): readonly string[] {
  const books = bookNames(strategies)
  return strategies.flatMap(({ symbol, strategy: { name } }, index) =>
    [...new Set([symbol, `${symbol}#${name}`, books[index] ?? symbol])].map(book =>
      clientOrderIdPrefix({ bot, strategy: name, book }),
    ),
  )
}
