import type { Account } from './account.ts'
import type { Credit } from './margin/credit.ts'
import type { OrderHistory } from './spot/order-history.ts'

/** An owner of orders: a user's spot account, or the user's margin account. */
export interface Trader {
  readonly account: Account
  readonly history: OrderHistory
  /** Credit line of a margin account, for the shortfall of an order. */
  readonly credit: Credit | undefined
  /** True if the exchange accepts orders of this account. */
  readonly mayTrade: boolean
}

/** A user's margin account. */
export type MarginTrader = Trader & { readonly credit: Credit }
