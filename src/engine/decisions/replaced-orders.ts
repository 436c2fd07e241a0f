import type { ReplacingSignal } from '../../domain/events/engine-output.ts'
import type { Order } from '../../domain/orders/order.ts'
import { entrySideOf, exitSideOf } from '../../domain/orders/side.ts'
import type { EnterSignal } from '../../domain/signal.ts'
import type { Exits } from '../orders/exits.ts'
import type { UnfinishedExit } from '../orders/unfinished-exits.ts'
import { idsOf, NO_IDS, type WorkingOrders } from '../orders/working-orders.ts'
import type { PositionBooks } from '../position-books.ts'
import { leavesEntries, type OrderSignal } from './pending-signals.ts'

/** Resting entries that a signal cancels. */
export function replacedEntries(signal: OrderSignal, orders: WorkingOrders): readonly string[] {
  if (signal.type === 'cancelEntries') return idsOf(orders.unquotedEntries(signal.tag))
  if (signal.type === 'enter') return idsOf(orders.entriesReplacedBy(signal.tag))
  if (leavesEntries(signal)) return NO_IDS
  return idsOf(orders.restingEntries(undefined, signal.type === 'exit' ? signal.direction : undefined))
}

/** Market entries that wait for an unfinished exit, and that a signal cancels. */
export function replacedHeldEntries(signal: OrderSignal, held: readonly Order[]): readonly string[] {
  const isMeant = ({ side, tag }: Order['request']): boolean => {
    switch (signal.type) {
      case 'cancelEntries':
        return signal.tag === undefined || signal.tag === tag
      case 'exit':
        return (
          !leavesEntries(signal) && (signal.direction === undefined || side === entrySideOf(signal.direction))
        )
      case 'enter':
      case 'target':
        return true
      case 'protect':
        return false
    }
  }
  return idsOf(held.filter(({ request }) => isMeant(request)))
}

/** The first signal that takes the place of an unfinished exit: a target, another exit in full, or an entry at market that would be closed by it. */
export function replacingSignal(
  signals: readonly OrderSignal[],
  exit: UnfinishedExit,
  books: PositionBooks,
): ReplacingSignal | undefined {
  if (exit.purpose !== 'exit') return undefined
  for (const signal of signals) {
    const { type } = signal
    if (type === 'target') return type
    if (type !== 'enter' && type !== 'exit') continue
    const isMeant = signal.direction === undefined || exit.side === exitSideOf(signal.direction)
    if (type === 'exit' && isMeant && !leavesEntries(signal)) return type
    if (type === 'enter' && isMeant && isMarketEntry(signal) && exit.book === books.of(signal.direction))
      return type
  }
  return undefined
}

/** Resting exits that a signal replaces, because it closes the whole position; without protective orders. */
export function replacedExits(signal: OrderSignal, orders: WorkingOrders, exits: Exits): readonly string[] {
  const closes =
    signal.type === 'target' ||
    (signal.type === 'exit' && !leavesEntries(signal)) ||
    (signal.type === 'enter' && isMarketEntry(signal) && exits.isHoldingAgainst(signal.direction))
  if (!closes) return NO_IDS
  return idsOf(orders.restingExits(signal.type === 'exit' ? signal.direction : undefined))
}

/** True if an entry trades at once. */
export function isMarketEntry({ order }: EnterSignal): boolean {
  return order === undefined || order.type === 'market'
}
