import type { Direction } from '../../../../src/domain/orders/side.ts'
import type { Lot } from '../../../../src/domain/position.ts'
import type { Ledger } from '../../../../src/ledger/ledger.ts'

/** What is held, of what, and in which book. */
export interface HeldLot extends Lot {
  readonly book: string
  readonly symbol: string
  readonly direction: Direction
}

/** Everything that is held, in all books that orders name. */
export function lotsOf(ledger: Ledger): readonly HeldLot[] {
  const books = new Set(ledger.orders.remembered.map(({ request }) => request.book ?? request.symbol))
  return [...books].flatMap(book => {
    const position = ledger.position(book)
    if (position === undefined) return []
    const { symbol, direction } = position
    return position.lots.map(lot => ({ ...lot, book, symbol, direction }))
  })
}
