import { type Amount, add } from '../../domain/numbers/amount.ts'
import type { Account } from '../account.ts'
import type { WithdrawalSettings } from './withdrawal-settings.ts'

/** States of a withdrawal (interface section 3.3), in the order of its numbers. */
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

/** A withdrawal as requested. */
export interface SimulatedWithdrawalOrder {
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
export interface SimulatedWithdrawal extends SimulatedWithdrawalOrder {
  readonly id: number
  readonly account: Account
  /** Creation, ms UTC. */
  readonly time: number
  /** A configured failure, and its text in the record; `undefined` if it will complete. */
  readonly exception: WithdrawalSettings['exceptions'][number] | undefined
  status: WithdrawalState
  /** When it was written to the chain, ms UTC. */
  paidAt: number | undefined
  /** Time of its next change of state, ms UTC; `undefined` once final. */
  dueAt: number | undefined
  info: string
}

/** Amount locked until a withdrawal ends. */
export function lockedBy({ amount, fee }: SimulatedWithdrawalOrder): Amount {
  return add(amount, fee)
}

/** The state that follows. */
export function nextState({ status, exception }: SimulatedWithdrawal): WithdrawalState | undefined {
  const ends = exception?.ends
  if (status === 'unapproved') return ends === 'rejected' || ends === 'revoked' ? ends : 'approved'
  if (status === 'approved') return 'payment'
  if (status === 'payment') return ends === 'failed' ? 'failed' : 'completed'
  return undefined
}

/** Duration of a state, ms; `undefined` for a final one. */
export function durationOf(state: WithdrawalState, settings: WithdrawalSettings): number | undefined {
  if (state === 'unapproved') return settings.approvalMs
  if (state === 'approved') return settings.paymentMs
  return state === 'payment' ? settings.completionMs : undefined
}
