import { InvariantError } from '../sluice-error.ts'

/** Where an order stands; `unknown` means that its placement was sent and nobody knows whether it arrived. */
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

/** What can happen to an order, in the past tense. */
export type OrderEventType =
  /** Handed to the exchange client. */
  | 'submitted'
  /** The exchange confirmed it. */
  | 'accepted'
  /** The exchange refused it. */
  | 'rejected'
  /** Its placement ended without an answer. */
  | 'outcomeLost'
  /** Proven absent after the deadline, or never sent: it was never placed. */
  | 'notPlaced'
  | 'partlyFilled'
  | 'filled'
  | 'canceled'
  | 'expired'

type Row = Partial<Record<OrderEventType, OrderStatus>>

/** Fills may arrive before the acceptance is seen, and after a cancel (late fills): both are legal. */
const FILLS: Row = { partlyFilled: 'partiallyFilled', filled: 'filled' }
/** A late fill of an order that is over does not open it again. */
const lateFills = (status: OrderStatus): Row => ({ partlyFilled: status, filled: 'filled' })

/** `(status, event) → status`. What is not in this table cannot happen. */
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
  /** An order that waited in the trigger book is open before it is sent, so it can still be lost on its way. */
  open: {
    ...FILLS,
    accepted: 'open',
    rejected: 'rejected',
    outcomeLost: 'unknown',
    canceled: 'canceled',
    expired: 'expired',
  },
  partiallyFilled: { ...FILLS, accepted: 'partiallyFilled', canceled: 'canceled', expired: 'expired' },
  /** One that was made smaller once it had left fills with what it left with, or its rest is canceled. */
  filled: { accepted: 'filled', filled: 'filled', canceled: 'filled', expired: 'filled' },
  /** A part that turns up after its order was canceled may be accepted, and end, once more. */
  canceled: { ...lateFills('canceled'), accepted: 'canceled', canceled: 'canceled', expired: 'canceled' },
  rejected: { rejected: 'rejected' },
  expired: { ...lateFills('expired'), accepted: 'open', canceled: 'canceled', expired: 'expired' },
}

/** The status after an event; throws `InvariantError` for a transition that the table does not have. */
export function nextStatus(status: OrderStatus, event: OrderEventType): OrderStatus {
  const next = TRANSITIONS[status][event]
  if (next === undefined) throw new InvariantError(`An order that is ${status} cannot become ${event}.`)
  return next
}

/** Whether the order can still trade, as far as anyone knows. */
export function isWorking(status: OrderStatus): boolean {
  return status !== 'filled' && status !== 'canceled' && status !== 'rejected' && status !== 'expired'
}
