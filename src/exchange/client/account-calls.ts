import type { Balance } from '../account/balance.ts'
import type { Transfer, TransferAccount, TransferOrder } from '../account/transfer.ts'
import type { Withdrawal, WithdrawalOrder } from '../account/withdrawal.ts'
import type { OnUnreadable } from '../wire/list-field.ts'

/** Filter of a transfer list; times in ms UTC, both included. */
export interface TransferPage {
  readonly asset?: string
  /** Default: the last 7 days; at most 6 months ago. */
  readonly startTime?: number
  readonly endTime?: number
  /** From 1, default 1. */
  readonly page?: number
  /** 1 to 100, default 20. */
  readonly limit?: number
}

/** A transfer by its id, or the transfers between two accounts. */
export type TransferQuery = TransferPage &
  (
    | { readonly transferId: string; readonly from?: TransferAccount; readonly to?: TransferAccount }
    | { readonly from: TransferAccount; readonly to: TransferAccount; readonly transferId?: undefined }
  )

/** Filter of the withdrawal list; times in ms UTC. */
export interface WithdrawalQuery {
  /** The currency on its chain, such as `TUSDT` for USDT on TRX. */
  readonly asset?: string
  /** The platform's id. */
  readonly id?: string
  /** The caller's own id. */
  readonly withdrawOrderId?: string
  /** Default: 90 days ago. */
  readonly startTime?: number
  /** Default: now. */
  readonly endTime?: number
  /** From 1. */
  readonly page?: number
}

/** One page of withdrawals, oldest first; `count` is the number on all pages, if the exchange gives it. */
export interface WithdrawalPage {
  readonly withdrawals: readonly Withdrawal[]
  readonly count: number | undefined
}

/** Methods of `AccountClient` that make one call. */
export interface AccountCalls {
  /**
   * Free and locked amounts of every coin of the spot account, zeros included. Weight 1. An entry that cannot
   * be read throws `MalformedResponseError`, unless `onUnreadable` is told about it, which leaves it out.
   */
  balances(options?: { readonly onUnreadable?: OnUnreadable }): Promise<readonly Balance[]>
  /**
   * Moves money between the spot and the futures account of this user; resolves with the transfer's id.
   * Weight 5.
   * Throws `UnknownOutcomeError` if the transfer may still have happened: look it up in `transfers`.
   */
  transfer(order: TransferOrder): Promise<{ readonly transferId: string }>
  /** Transfers by their id, or between two accounts, of the last 6 months; one page, oldest first. Weight 5. */
  transfers(query: TransferQuery): Promise<readonly Transfer[]>
  /**
   * Sends money to an address; resolves with the platform's id of the withdrawal. Weight 100 (by sibling
   * hosts).
   * Throws `UsageError`, and sends nothing, unless the client was created with `allowWithdrawals: true`.
   * Throws `UnknownOutcomeError` if the withdrawal may still have happened: look it up by its
   * `withdrawOrderId`.
   */
  withdraw(order: WithdrawalOrder): Promise<{ readonly id: string }>
  /** Withdrawals of the last 90 days unless times are given; one page. Weight 100 (by sibling hosts). */
  withdrawals(query?: WithdrawalQuery): Promise<WithdrawalPage>
}
