import type { Direction } from './orders/side.ts'

/** A strategy on a symbol, as far as the name of its book depends on it. */
export interface BookKeeper {
  readonly symbol: string
  readonly strategy: { readonly name: string }
  /** The book that it has already. */
  readonly book?: string | undefined
}

/**
 * The names of the books that several strategies keep their positions in, in their order. Who trades a symbol alone has a
 * book of the symbol's name. Where several do, it is `symbol#strategy`, and for the same strategy a second time (on another
 * interval, or with other parameters) `symbol#strategy#2`. Who has a book already keeps it.
 */
export function bookNames(keepers: readonly BookKeeper[]): readonly string[] {
  const taken = new Set(keepers.flatMap(({ book }) => book ?? []))
  return keepers.map(({ symbol, strategy, book }, index) => {
    if (book !== undefined) return book
    if (!keepers.some((other, place) => place !== index && other.symbol === symbol)) return symbol
    const first = `${symbol}#${strategy.name}`
    let name = first
    for (let count = 2; taken.has(name); count++) name = `${first}#${count}`
    taken.add(name)
    return name
  })
}

/** The book of an order: the symbol unless it says otherwise. */
export function bookOf({
  symbol,
  book,
}: {
  readonly symbol: string
  readonly book?: string | undefined
}): string {
  return book ?? symbol
}

/** The book of one side of a position, where a long and a short one are held side by side in what is one book otherwise. */
export function sideBook(book: string, direction: Direction): string {
  return `${book}:${direction}`
}

/** The book that a strategy has of its own, be it that of one of its sides. */
export function wholeBook(book: string): string {
  if (book.endsWith(':long')) return book.slice(0, -':long'.length)
  return book.endsWith(':short') ? book.slice(0, -':short'.length) : book
}
