import { wholeBook } from '../../../src/domain/book-names.ts'
import type { ReplayedMarket } from '../../metrics/market.ts'

/** Interval, strategy and book of a fill or a round trip, if a run has several markets. */
export interface BookLabel {
  readonly interval: string
  readonly strategy: string
  readonly book: string
}

/** The labels of books; `undefined` for all if a run has one market. */
export function bookLabels(markets: readonly ReplayedMarket[]): (book: string) => BookLabel | undefined {
  if (markets.length < 2) return () => undefined
  const labels = new Map(
    markets.map(({ instrument: { symbol }, interval, strategy = '', book = symbol }) => [
      book,
      { interval, strategy, book },
    ]),
  )
  return book => labels.get(wholeBook(book))
}
