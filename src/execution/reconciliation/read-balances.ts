import { type Amount, add, amountAtExchange } from '../../domain/numbers/amount.ts'
import { SluiceError } from '../../domain/sluice-error.ts'
import type { AccountClient } from '../../exchange/client/account-client.ts'
import type { UnreadableEntry } from '../../exchange/wire/list-field.ts'

/**
 * Balance of each asset of the account: free and locked together. An asset whose entry cannot be read is left
 * out if it is none of `needed`; otherwise this throws `SluiceError`.
 */
export async function readBalances(
  account: Pick<AccountClient, 'balances'>,
  needed: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Amount>> {
  const balances = await account.balances({
    onUnreadable: entry => {
      if (entry.name === undefined || needed.has(entry.name.toUpperCase())) throw unreadableBalance(entry)
    },
  })
  return new Map(
    balances.map(({ asset, free, locked }) => [asset, add(amountAtExchange(free), amountAtExchange(locked))]),
  )
}

function unreadableBalance({ name = 'an asset without a name', key, rule }: UnreadableEntry): SluiceError {
  return new SluiceError(
    `The exchange's balance of ${name} cannot be read: ${key} ${rule}. It is read again.`,
    { code: 'BALANCE_UNREADABLE', reaction: 'skip' },
  )
}
