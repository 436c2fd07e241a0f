import { bookOf, wholeBook } from '../../domain/book-names.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'

/**
 * Entries blocked from now on by an output, if any. The engine cancels resting ones; immediate ones may still
 * wait to be sent.
 */
export function entriesBlockedBy(output: EngineOutput): ((request: OrderRequest) => boolean) | undefined {
  if (output.type === 'instrumentHalted') return ({ symbol }) => symbol === output.symbol
  if (output.type !== 'tradingStateChanged' || output.mode === 'active') return undefined
  const { symbol, book } = output.scope
  return request =>
    (symbol === undefined || request.symbol === symbol) &&
    (book === undefined || wholeBook(bookOf(request)) === book)
}
