import { InvariantError } from '../sluice-error.ts'

/** Status of an order; `unknown`: its placement was sent, but it is unknown whether it arrived. */
export type OrderStatus =
  | 'pending'
  | 'submitted'
  | 'unknown'
  | 'open'
  | 'partiallyFilled'
  | 'filled'
  | 'canceled'
  | 'rejected'
  | 'expired'

/** Events of an order, in the past tense. */
export type OrderEventType =
  /** Passed to the exchange client. */
  | 'submitted'
  /** The exchange confirmed it. */
  | 'accepted'
  /** The exchange refused it. */
  | 'rejected'
  /** Its placement ended without an answer. */
  | 'outcomeLost'
  /** Proven absent after the deadline, or never sent: the order does not exist. */
  | 'notPlaced'
  | 'partlyFilled'
  | 'filled'
  | 'canceled'
  | 'expired'

type Row = Partial<Record<OrderEventType, OrderStatus>>

/** Fills may arrive before the acceptance, and after a cancel (late fills): both are valid. */
const FILLS: Row = { partlyFilled: 'partiallyFilled', filled: 'filled' }
/** A late fill does not reopen a finished order. */
const lateFills = (status: OrderStatus): Row => ({ partlyFilled: status, filled: 'filled' })

/** `(status, event) → status`. Transitions outside of this table are impossible. */
const TRANSITIONS: Readonly<Record<OrderStatus, Row>> = {
  pending: { submitted: 'submitted', rejected: 'rejected', canceled: 'canceled', notPlaced: 'expired' },
  submitted: {
    ...FILLS,
    accepted: 'open',
    rejected: 'rejected',
    outcomeLost: 'unknown',
    notPlaced: 'expired',
    canceled: 'canceled',
    expired: 'expired',
  },
  unknown: {
    ...FILLS,
    accepted: 'open',
    rejected: 'rejected',
    notPlaced: 'expired',
    canceled: 'canceled',
    expired: 'expired',
  },
  /** An order from the trigger book is open before it is sent, so its outcome can still become unknown. */
  open: {
    ...FILLS,
    accepted: 'open',
    rejected: 'rejected',
    outcomeLost: 'unknown',
    canceled: 'canceled',
    expired: 'expired',
  },
  partiallyFilled: { ...FILLS, accepted: 'partiallyFilled', canceled: 'canceled', expired: 'expired' },
  /**
   * An order that was reduced after it was sent may still be filled up to its original quantity, or its rest
   * be canceled.
   */
  filled: { accepted: 'filled', filled: 'filled', canceled: 'filled', expired: 'filled' },
  /** A part that turns up after its order was canceled may be accepted, and end, once more. */
  canceled: { ...lateFills('canceled'), accepted: 'canceled', canceled: 'canceled', expired: 'canceled' },
  rejected: { rejected: 'rejected' },
  expired: { ...lateFills('expired'), accepted: 'open', canceled: 'canceled', expired: 'expired' },
}

/** Status after an event; throws `InvariantError` for a transition outside of the table. */
export function nextStatus(status: OrderStatus, event: OrderEventType): OrderStatus {
  const next = TRANSITIONS[status][event]
  if (next === undefined) throw new InvariantError(`An order that is ${status} cannot become ${event}.`)
  return next
}

/** True while the order can still trade. */
export function isWorking(status: OrderStatus): boolean {
  return status !== 'filled' && status !== 'canceled' && status !== 'rejected' && status !== 'expired'
}
