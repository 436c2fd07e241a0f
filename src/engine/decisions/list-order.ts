import { bookOf } from '../../domain/book-names.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { type Direction, entrySideOf } from '../../domain/orders/side.ts'
import type { EnterSignal } from '../../domain/signal.ts'
import { NO_IDS } from '../orders/working-orders.ts'
import type { PositionBooks } from '../position-books.ts'
import type { OrderSignal } from './pending-signals.ts'
import { isMarketEntry } from './replaced-orders.ts'

/** Where the orders of a list are. */
export interface ListAccount {
  readonly books: PositionBooks
  /** Whether it buys with its own quote only. */
  readonly paysFromFree: boolean
}

/**
 * The orders of earlier signals of its list whose end a signal waits for, so that it finds what they have left: market orders
 * only, as others may rest for long. `out` holds what the list has led to from place `from` on.
 */
export function ordersBefore(
  signal: OrderSignal,
  out: readonly EngineOutput[],
  from: number,
  account: ListAccount,
): readonly string[] {
  const ids: string[] = []
  for (let index = from; index < out.length; index++) {
    const output = out[index]
    if (output?.type !== 'placeOrder' || output.request.spec.type !== 'market') continue
    if (dependsOn(signal, output.request, account)) ids.push(output.request.clientOrderId)
  }
  return ids.length === 0 ? NO_IDS : ids
}

/** Whether what a signal leads to depends on how an order at market ends. */
function dependsOn(signal: OrderSignal, request: OrderRequest, account: ListAccount): boolean {
  const isEntry = request.purpose === 'entry'
  switch (signal.type) {
    case 'target':
      return true
    case 'exit':
      // All that is left beside another exit can be told at once; a fraction of it cannot.
      return (isEntry || (signal.fraction ?? 1) < 1) && isIn(signal.direction, request, account)
    case 'protect':
      return isEntry
    case 'enter':
      return isEntry ? isTurn(signal, request, account) : account.paysFromFree && signal.direction === 'long'
    case 'cancelEntries':
      return false
  }
}

/** Whether an order is of the book of a direction, or of any without one. */
function isIn(direction: Direction | undefined, request: OrderRequest, { books }: ListAccount): boolean {
  return direction === undefined || books.of(direction) === bookOf(request)
}

/** Whether an entry turns around what an earlier one opens. */
function isTurn(signal: EnterSignal, request: OrderRequest, account: ListAccount): boolean {
  const { direction } = signal
  return isMarketEntry(signal) && isIn(direction, request, account) && request.side !== entrySideOf(direction)
}
