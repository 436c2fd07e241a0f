import type { Amount } from '../../domain/numbers/amount.ts'
import type { Contract } from './contract.ts'

/** Type codes of transactions (supplement section 9) that this exchange books. */
export const TRANSACTION_CODES = {
  transferIn: 1,
  transferOut: 2,
  funding: 5,
  openingFee: 6,
  closingFee: 7,
  lossShare: 8,
  closingProfit: 13,
} as const

/** Cause of a change of a futures account's money. */
export type TransactionType = keyof typeof TRANSACTION_CODES

/** One change of the money of a futures account: moving it between balance, orders and positions is none. */
export interface Transaction {
  readonly id: number
  readonly coin: string
  readonly type: TransactionType
  /** None for a transfer. */
  readonly contract: Contract | undefined
  /** ms UTC. */
  readonly time: number
  readonly amount: Amount
  /** All money of the coin after it: balance, frozen by orders, margin of isolated positions. */
  readonly afterBalance: Amount
}
