import { NO_STEPS, type Steps } from '../../domain/numbers/grid.ts'
import type { ProtectiveLeg } from './protection-prices.ts'

/** A protective leg of a position, and what became of it. */
export interface ProtectiveOrder {
  leg: ProtectiveLeg
  /** Its latest order; `undefined` where risk denied it, as it does for too small a part of an entry. */
  id: string | undefined
  /** The order that was taken back last. */
  canceledId: string | undefined
  /** What was asked of risk last; it is asked again once more is wanted. */
  askedFor: Steps
  /** How often the exchange refused it. */
  refusals: number
  /** What its orders have filled, and those before the latest; only kept for legs of a part. */
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
    filled: NO_STEPS,
    filledBefore: NO_STEPS,
  }
}
