import { UsageError } from '../../domain/sluice-error.ts'
import { WIRE_ACCOUNT } from '../account/transfer.ts'
import type { EndpointCall } from '../call/endpoint-call.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { MalformedResponseError } from '../errors/malformed-response-error.ts'
import type { ServerNow } from '../ranges/range-time.ts'
import { patiently } from '../ranges/until-aborted.ts'
import type { UnreadableEntry } from '../wire/list-field.ts'
import { oldestFirst } from '../wire/oldest-first.ts'
import type { AccountCalls, TransferQuery } from './account-calls.ts'
import { type AccountRanges, accountRanges } from './account-ranges.ts'

/**
 * Balances, transfers and withdrawals (interface section 4.3), signed. Amounts are exact decimals, ids text,
 * times ms UTC, lists oldest first. Refusals are `ExchangeError`s; a call that breaks the rules is an
 * `InvalidCallError` and is not sent.
 */
export interface AccountClient extends AccountCalls, AccountRanges {}

/** Account methods over `call`. */
export function accountClient(call: EndpointCall, allowWithdrawals: boolean, now: ServerNow): AccountClient {
  return {
    ...accountCalls(call, allowWithdrawals),
    ...accountRanges(options => accountCalls(patiently(call, options), false), now),
  }
}

function accountCalls(call: EndpointCall, allowWithdrawals: boolean): AccountCalls {
  return {
    balances: async ({ onUnreadable = refuseBalance } = {}) => {
      const { entries, unreadable } = await call(ENDPOINTS.spotAccount, {})
      unreadable.forEach(onUnreadable)
      return entries
    },
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

function refuseBalance({ name = 'an asset without a name', key, rule }: UnreadableEntry): never {
  throw new MalformedResponseError(
    ENDPOINTS.spotAccount.key,
    200,
    `the balance of ${name}: ${key} ${rule}.`,
    name,
  )
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
