import type { Account } from './account.ts'
import type { Credit } from './margin/credit.ts'
import type { OrderHistory } from './spot/order-history.ts'

/** Who places orders: a user's spot account, or the user's margin account. */
export interface Trader {
  readonly account: Account
  readonly history: OrderHistory
  /** Only a margin account may borrow what an order lacks. */
  readonly credit: Credit | undefined
  /** Whether the exchange takes orders of this account. */
  readonly mayTrade: boolean
}

/** A user's margin account. */
export type MarginTrader = Trader & { readonly credit: Credit }
