import { UsageError } from '../../domain/sluice-error.ts'
import type { EndpointCall } from '../call/endpoint-call.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { type AccountRanges, accountRanges } from '../ranges/account-ranges.ts'
import type { ServerNow } from '../ranges/range-time.ts'
import { patiently } from '../ranges/until-aborted.ts'
import { oldestFirst } from '../spot/oldest-first.ts'
import type { Balance } from './balance.ts'
import { type Transfer, type TransferAccount, type TransferOrder, WIRE_ACCOUNT } from './transfer.ts'
import type { Withdrawal, WithdrawalOrder } from './withdrawal.ts'

/** Filter of a transfer list; times in ms UTC, both included. */
interface TransferPage {
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
type TransferQuery = TransferPage &
  (
    | { readonly transferId: string; readonly from?: TransferAccount; readonly to?: TransferAccount }
    | { readonly from: TransferAccount; readonly to: TransferAccount; readonly transferId?: undefined }
  )

/** Filter of the withdrawal list; times in ms UTC. */
interface WithdrawalQuery {
  /** The currency on its chain. */
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

/** One page of withdrawals, oldest first; `count` is the number on all pages. */
interface WithdrawalPage {
  readonly withdrawals: readonly Withdrawal[]
  readonly count: number
}

/**
 * Balances, transfers and withdrawals (interface section 4.3), signed. Amounts are exact decimals, ids text,
 * times ms UTC, lists oldest first. Refusals are `ExchangeError`s; a call that breaks the rules is an
 * `InvalidCallError` and is not sent.
 */
export interface AccountClient extends AccountCalls, AccountRanges {}

/** Methods of `AccountClient` that make one call. */
export interface AccountCalls {
  /** Free and locked amounts of every coin of the spot account, zeros included. Weight 1. */
  balances(): Promise<readonly Balance[]>
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

/** Account methods over `call`. */
export function accountClient(call: EndpointCall, allowWithdrawals: boolean, now: ServerNow): AccountClient {
  return {
    ...accountCalls(call, allowWithdrawals),
    ...accountRanges(options => accountCalls(patiently(call, options), false), now),
  }
}

function accountCalls(call: EndpointCall, allowWithdrawals: boolean): AccountCalls {
  return {
    balances: async () => (await call(ENDPOINTS.spotAccount, {})).balances,
    transfer: ({ asset, amount, from, to }) =>
      call(ENDPOINTS.assetTransfer, {
        coinSymbol: asset,
        amount,
        fromAccount: WIRE_ACCOUNT[from],
        toAccount: WIRE_ACCOUNT[to],
      }),
    transfers: async query => {
      const transfers = await call(ENDPOINTS.assetTransferQuery, transferQueryFields(query))
      return oldestFirst(transfers, ({ time, transferId }) => ({ time, id: transferId }))
    },
    withdraw: async order => {
      if (!allowWithdrawals) throw withdrawalsOff()
      const { asset, ...fields } = order
      return call(ENDPOINTS.withdrawApply, { ...fields, symbol: asset })
    },
    withdrawals: async (query = {}) => {
      const { asset, id, ...fields } = query
      const page = await call(ENDPOINTS.withdrawQuery, { ...fields, symbol: asset, withdrawId: id })
      return { ...page, withdrawals: oldestFirst(page.withdrawals, ({ time, id }) => ({ time, id })) }
    },
  }
}

function transferQueryFields({ asset, from, to, ...fields }: TransferQuery) {
  return {
    ...fields,
    coinSymbol: asset,
    fromAccount: from && WIRE_ACCOUNT[from],
    toAccount: to && WIRE_ACCOUNT[to],
  }
}

function withdrawalsOff(): UsageError {
  return new UsageError(
    'The withdrawal was not sent: this client may not withdraw; create it with allowWithdrawals: true if it should.',
  )
}
