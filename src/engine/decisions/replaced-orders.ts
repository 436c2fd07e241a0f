import type { EnterSignal } from '../../domain/signal.ts'
import type { Exits } from '../orders/exits.ts'
import { idsOf, NO_IDS, type WorkingOrders } from '../orders/working-orders.ts'
import { leavesEntries, type OrderSignal } from './pending-signals.ts'

/** Resting entries that a signal cancels. */
export function replacedEntries(signal: OrderSignal, orders: WorkingOrders): readonly string[] {
  if (signal.type === 'cancelEntries') return idsOf(orders.unquotedEntries(signal.tag))
  if (signal.type === 'enter') return idsOf(orders.entriesReplacedBy(signal.tag))
  if (leavesEntries(signal)) return NO_IDS
  return idsOf(orders.restingEntries(undefined, signal.type === 'exit' ? signal.direction : undefined))
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
