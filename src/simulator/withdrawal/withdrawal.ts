import { type Amount, add } from '../../domain/numbers/amount.ts'
import type { Account } from '../account.ts'
import type { WithdrawalSettings } from './withdrawal-settings.ts'

/** Where a withdrawal stands (interface section 3.3), in the order of its numbers. */
export const WITHDRAWAL_STATES = [
  'unapproved',
  'approved',
  'rejected',
  'payment',
  'failed',
  'completed',
  'revoked',
] as const

/** One of them. */
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

/** What a user wants to take out. */
export interface WithdrawalOrder {
  /** The user's own id. */
  readonly orderId: string
  /** Name of the coin on its chain. */
  readonly symbol: string
  readonly asset: string
  readonly amount: Amount
  /** On top of the amount. */
  readonly fee: Amount
  readonly address: string
}

/** A withdrawal on record. */
export interface Withdrawal extends WithdrawalOrder {
  readonly id: number
  readonly account: Account
  /** Creation, ms UTC. */
  readonly time: number
  /** How it ends unless it is completed, and what the record says of it. */
  readonly exception: WithdrawalSettings['exceptions'][number] | undefined
  status: WithdrawalState
  /** When it was written to the chain, ms UTC. */
  paidAt: number | undefined
  /** When its state changes next, ms UTC; `undefined` once it is over. */
  dueAt: number | undefined
  info: string
}

/** What a withdrawal keeps locked until it is over. */
export function lockedBy({ amount, fee }: WithdrawalOrder): Amount {
  return add(amount, fee)
}

/** The state that follows. */
export function nextState({ status, exception }: Withdrawal): WithdrawalState | undefined {
  const ends = exception?.ends
  if (status === 'unapproved') return ends === 'rejected' || ends === 'revoked' ? ends : 'approved'
  if (status === 'approved') return 'payment'
  if (status === 'payment') return ends === 'failed' ? 'failed' : 'completed'
  return undefined
}

/** How long a state lasts, ms; `undefined` for one that is final. */
export function durationOf(state: WithdrawalState, settings: WithdrawalSettings): number | undefined {
  if (state === 'unapproved') return settings.approvalMs
  if (state === 'approved') return settings.paymentMs
  return state === 'payment' ? settings.completionMs : undefined
}
