import type { Instrument } from './instrument.ts'
import type { Direction } from './orders/side.ts'

/** A strategy on a symbol, as input for the name of its book. */
export interface BookKeeper {
  readonly symbol: string
  readonly strategy: { readonly name: string }
  /** Its existing book. */
  readonly book?: string | undefined
}

/**
 * Names of the books in which several strategies hold their positions, in their order. A strategy that trades
 * a symbol alone has a book of the symbol's name. If several trade it, the name is `symbol#strategy`, and for
 * the same strategy a second time (on another interval, or with other parameters) `symbol#strategy#2`. An
 * existing book keeps its name.
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

/** Book of an order; default: its symbol. */
export function bookOf({
  symbol,
  book,
}: {
  readonly symbol: string
  readonly book?: string | undefined
}): string {
  return book ?? symbol
}

/** True if the account holds a long and a short position side by side, in two books; otherwise they net. */
export function hasTwoBooks({ futures }: Pick<Instrument, 'futures'>): boolean {
  return futures?.positionMode === 'twoWay'
}

/** Book of a position in `direction`; `book` is its name without a side. */
export function sideBook(instrument: Instrument, direction: Direction, book = instrument.symbol): string {
  return hasTwoBooks(instrument) ? `${book}:${direction}` : book
}

/** The strategy's book that a book, or the book of one side, belongs to. */
export function wholeBook(book: string): string {
  if (book.endsWith(':long')) return book.slice(0, -':long'.length)
  return book.endsWith(':short') ? book.slice(0, -':short'.length) : book
}
