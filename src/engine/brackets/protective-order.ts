import { NO_STEPS, type Steps } from '../../domain/numbers/grid.ts'
import type { DenialRule } from '../../domain/orders/denial.ts'
import type { ProtectiveLeg } from './protection-prices.ts'

/** Denial of a protective order by risk. */
export interface LegDenial {
  readonly clientOrderId: string
  readonly rule: DenialRule
  /** A whole sentence. */
  readonly message: string
}

/** A protective leg of a position, and its state. */
export interface ProtectiveOrder {
  leg: ProtectiveLeg
  /** Its latest order; `undefined` where risk denied it, as it does for too small a part of an entry. */
  id: string | undefined
  /** The latest canceled order. */
  canceledId: string | undefined
  /** The latest denial by risk; `undefined` while it has an order, and in snapshots of older versions. */
  denial?: LegDenial | undefined
  /**
   * State of too small a part of a working entry, which waits until more of that has filled: `quiet` until the next retry
   * or the end of the entry, `told` from then on. Absent otherwise, and in snapshots of older versions.
   */
  tooSmall?: 'quiet' | 'told' | undefined
  /** The quantity last requested from risk; a larger one is requested anew, and any after a retry. */
  askedFor: Steps
  /** Number of refusals by the exchange before the next pause; a retry leaves one more. */
  refusals: number
  /** Number of all refusals by the exchange. */
  refusedTimes: number
  /** The latest order whose refusal is counted. */
  refusedId: string | undefined
  /** Filled quantity of its orders, and of those before the latest; only kept for legs of a part. */
  filled: Steps
  filledBefore: Steps
}

/** A protective order that an open position wants, for people. */
export interface WantedProtection {
  /** Book of the position. */
  readonly book: string
  readonly symbol: string
  /** ClientOrderId of the protected entry. */
  readonly entry: string
  readonly purpose: ProtectiveLeg['purpose']
  /** Number of its leg; a take-profit in parts has several. */
  readonly leg: number
  /** Its latest order. */
  readonly clientOrderId: string
  /** Number of times that the exchange has refused it. */
  readonly refusedTimes: number
  /** Reason, in a sentence, for which risk denied it; absent if it did not. */
  readonly deniedBecause?: string | undefined
}

/** A protective order that is less than an order may be, for people. */
export interface TooSmallProtection extends Pick<WantedProtection, 'book' | 'purpose'> {
  /** Denial by risk, a whole sentence. */
  readonly message: string
}

/** A leg without an order. */
export function newProtectiveOrder(leg: ProtectiveLeg): ProtectiveOrder {
  return {
    leg,
    id: undefined,
    canceledId: undefined,
    askedFor: NO_STEPS,
    refusals: 0,
    refusedTimes: 0,
    refusedId: undefined,
    filled: NO_STEPS,
    filledBefore: NO_STEPS,
  }
}
