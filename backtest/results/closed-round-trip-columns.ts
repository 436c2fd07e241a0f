import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import { AmountColumn } from './amount-column.ts'
import { Kinds } from './kinds.ts'
import { NumberRows } from './number-rows.ts'

type RoundTripKind = Pick<RoundTrip, 'symbol' | 'book' | 'direction' | 'entryReason' | 'exitReason' | 'tag'>

/** Kind, quantity, time and price of the entry, time and price of the exit. */
const COLUMNS = 6

/** Round trips as columns while klines play; see `FillColumns`. */
export class ClosedRoundTripColumns {
  readonly #numbers = new NumberRows(COLUMNS)
  readonly #kinds = new Kinds<RoundTripKind>(isSameKind, kindOf)
  readonly #pnl = new AmountColumn()
  readonly #fees = new AmountColumn()
  #all: readonly RoundTrip[] | undefined

  get length(): number {
    return this.#pnl.length
  }

  push(roundTrip: RoundTrip): void {
    this.#all = undefined
    const place = this.#numbers.add()
    this.#numbers.set(place, this.#kinds.numberOf(roundTrip))
    this.#numbers.set(place + 1, roundTrip.quantity)
    this.#numbers.set(place + 2, roundTrip.entryTime)
    this.#numbers.set(place + 3, roundTrip.entryPrice)
    this.#numbers.set(place + 4, roundTrip.exitTime)
    this.#numbers.set(place + 5, roundTrip.exitPrice)
    this.#pnl.push(roundTrip.pnl)
    this.#fees.push(roundTrip.fees)
  }

  /** In order of arrival. */
  get all(): readonly RoundTrip[] {
    this.#all ??= Array.from({ length: this.length }, (_, row) => this.#at(row))
    return this.#all
  }

  #at(row: number): RoundTrip {
    const numbers = this.#numbers
    const { symbol, book, direction, entryReason, exitReason, tag } = this.#kinds.at(numbers.at(row, 0))
    return {
      symbol,
      book,
      direction,
      quantity: steps(numbers.at(row, 1)),
      entryTime: numbers.at(row, 2),
      entryPrice: ticks(numbers.at(row, 3)),
      exitTime: numbers.at(row, 4),
      exitPrice: ticks(numbers.at(row, 5)),
      pnl: this.#pnl.at(row),
      fees: this.#fees.at(row),
      entryReason,
      exitReason,
      tag,
    }
  }
}

function isSameKind(left: RoundTripKind, right: RoundTripKind): boolean {
  return (
    left.exitReason === right.exitReason &&
    left.direction === right.direction &&
    left.symbol === right.symbol &&
    left.book === right.book &&
    left.entryReason === right.entryReason &&
    left.tag === right.tag
  )
}

function kindOf({ symbol, book, direction, entryReason, exitReason, tag }: RoundTripKind): RoundTripKind {
  return { symbol, book, direction, entryReason, exitReason, tag }
}
