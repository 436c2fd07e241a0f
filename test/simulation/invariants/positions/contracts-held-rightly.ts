import { wholeBook } from '../../../../src/domain/book-names.ts'
import { lotsOf } from '../money/held-lots.ts'
import type { Scene, Violation } from '../scene.ts'

/** A contract is held in one book, or long and short each in its own: what is held side by side is never netted, and no side turns into the other. */
export function contractsHeldRightly({ ledger }: Pick<Scene, 'ledger'>): readonly Violation[] {
  return lotsOf(ledger).flatMap(({ book, symbol, direction, clientOrderId: about }) => {
    const { futures } = ledger.instrument(symbol)
    if (futures === undefined) return []
    const owner = wholeBook(book)
    const place = futures.positionMode === 'twoWay' ? `${owner}:${direction}` : owner
    const problems = [
      ...(book === place ? [] : [`is ${direction} in the book ${book}`]),
      ...(ledger.contracts.of(book)?.direction === direction ? [] : ['has no position of contracts']),
    ]
    return problems.map(problem => ({ problem: `what ${about} opened ${problem}`, about }))
  })
}
