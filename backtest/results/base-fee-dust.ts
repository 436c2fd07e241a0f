import type { Instrument } from '../../src/domain/instrument.ts'
import { type Amount, add, subtract, ZERO } from '../../src/domain/numbers/amount.ts'
import {
  baseAmount,
  notionalOf,
  type Steps,
  steps,
  stepsWithin,
  worthOf,
} from '../../src/domain/numbers/grid.ts'
import type { SimulatedFill } from '../fills/simulated-fill.ts'

/**
 * Base outside the whole steps of a book: a remainder of fees in base, or a shortfall because fees exceeded a
 * fill.
 */
export interface BaseFeeDust {
  readonly symbol: string
  /** Below one step; negative where fees in base were paid by fills that only closed. */
  readonly base: Amount
  /** Its cost in quote, besides the lots and the fees. */
  readonly cost: Amount
}

interface Book {
  readonly symbol: string
  /** Negative is short. */
  lots: number
  dust: Amount
  cost: Amount
}

/** Effect of fees in base on each book, from its fills alone, in order of time. */
export function baseFeeDust(
  fills: readonly SimulatedFill[],
  instrumentOf: (symbol: string) => Instrument,
): readonly BaseFeeDust[] {
  const books = new Map<string, Book>()
  for (const fill of fills) {
    const instrument = instrumentOf(fill.symbol)
    if (instrument.fees.paidIn === 'quote') continue
    let book = books.get(fill.book)
    if (book === undefined) {
      book = { symbol: fill.symbol, lots: 0, dust: ZERO, cost: ZERO }
      books.set(fill.book, book)
    }
    follow(book, instrument, fill)
  }
  return Array.from(books.values(), ({ symbol, dust, cost }) => ({ symbol, base: dust, cost }))
}

function follow(book: Book, instrument: Instrument, fill: SimulatedFill): void {
  const { side, quantity, price, fee, feeAsset } = fill
  if (feeAsset !== instrument.base || fee === ZERO) {
    book.lots += side === 'buy' ? quantity : -quantity
    return
  }
  // Fees in base are those of buys, which bring it.
  const closing = Math.min(quantity, Math.max(0, -book.lots))
  const opening = steps(quantity - closing)
  const owned = add(subtract(baseAmount(instrument, opening), fee), book.dust)
  const kept: Steps = opening === 0 ? opening : stepsWithin(instrument, owned)
  const left = notionalOf(instrument, price, opening) - notionalOf(instrument, price, kept)
  book.cost = subtract(add(book.cost, left as Amount), worthOf(instrument, price, fee))
  book.dust = subtract(owned, baseAmount(instrument, kept))
  book.lots += closing + kept
}
