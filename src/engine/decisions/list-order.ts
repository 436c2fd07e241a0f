import { bookOf } from '../../domain/book-names.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { type Direction, entrySideOf } from '../../domain/orders/side.ts'
import type { EnterSignal } from '../../domain/signal.ts'
import { NO_IDS } from '../orders/working-orders.ts'
import type { PositionBooks } from '../position-books.ts'
import type { OrderSignal } from './pending-signals.ts'
import { isMarketEntry } from './replaced-orders.ts'

/** Account of a list of signals. */
export interface ListAccount {
  readonly books: PositionBooks
  /** True if it buys with its own quote only. */
  readonly paysFromFree: boolean
}

/**
 * Orders of earlier signals of the list that must end before a signal is executed, so that it sees their
 * results: market orders only, as others may rest for long. `out` holds the outputs of the list from index
 * `from` on.
 */
export function ordersBefore(
  signal: OrderSignal,
  out: readonly EngineOutput[],
  from: number,
  account: ListAccount,
): readonly string[] {
  let ids = NO_IDS
  for (let index = from; index < out.length; index++) {
    const output = out[index]
    if (output?.type !== 'placeOrder' || output.request.spec.type !== 'market') continue
    if (dependsOn(signal, output.request, account)) ids = [...ids, output.request.clientOrderId]
  }
  return ids
}

/** True if the result of a signal depends on the outcome of a market order. */
function dependsOn(signal: OrderSignal, request: OrderRequest, account: ListAccount): boolean {
  const isEntry = request.purpose === 'entry'
  switch (signal.type) {
    case 'target':
      return true
    case 'exit':
      // A full exit needs no result of another exit; a fraction of the remainder does.
      return (isEntry || (signal.fraction ?? 1) < 1) && isIn(signal.direction, request, account)
    case 'protect':
      return isEntry
    case 'enter':
      return isEntry ? isTurn(signal, request, account) : account.paysFromFree && signal.direction === 'long'
    case 'cancelEntries':
      return false
  }
}

/** True if an order is of the book of a direction, or of any without one. */
function isIn(direction: Direction | undefined, request: OrderRequest, { books }: ListAccount): boolean {
  return direction === undefined || books.of(direction) === bookOf(request)
}

/** True if an entry reverses the position that an earlier one opens. */
export function isTurn(signal: EnterSignal, request: OrderRequest, account: ListAccount): boolean {
  const { direction } = signal
  return isMarketEntry(signal) && isIn(direction, request, account) && request.side !== entrySideOf(direction)
}
