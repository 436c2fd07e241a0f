import { NO_STEPS, type Steps } from '../../domain/numbers/grid.ts'
import type { ProtectiveLeg } from './protection-prices.ts'

/** A protective leg of a position, and its state. */
export interface ProtectiveOrder {
  leg: ProtectiveLeg
  /** Its latest order; `undefined` where risk denied it, as it does for too small a part of an entry. */
  id: string | undefined
  /** The latest canceled order. */
  canceledId: string | undefined
  /** The quantity last requested from risk; a larger one is requested anew. */
  askedFor: Steps
  /** Number of refusals by the exchange. */
  refusals: number
  /** The latest order whose refusal is counted. */
  refusedId: string | undefined
  /** Filled quantity of its orders, and of those before the latest; only kept for legs of a part. */
  filled: Steps
  filledBefore: Steps
}

/** A leg without an order. */
export function newProtectiveOrder(leg: ProtectiveLeg): ProtectiveOrder {
  return {
    leg,
    id: undefined,
    canceledId: undefined,
    askedFor: NO_STEPS,
    refusals: 0,
    refusedId: undefined,
    filled: NO_STEPS,
    filledBefore: NO_STEPS,
  }
}
