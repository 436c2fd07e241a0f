import { type Amount, add, amountAtExchange } from '../../domain/numbers/amount.ts'
import { SluiceError } from '../../domain/sluice-error.ts'
import type { AccountClient } from '../../exchange/client/account-client.ts'
import type { UnreadableEntry } from '../../exchange/wire/list-field.ts'

/** Balance of one asset, in its units. */
export interface AssetBalance {
  readonly free: Amount
  /** Free and locked together. */
  readonly total: Amount
}

/**
 * What the account has of each asset. An asset whose entry cannot be read is left out if it is none of `needed`; otherwise
 * this throws `SluiceError`.
 */
export async function readAssetBalances(
  account: Pick<AccountClient, 'balances'>,
  needed: ReadonlySet<string>,
): Promise<ReadonlyMap<string, AssetBalance>> {
  const balances = await account.balances({
    onUnreadable: entry => {
      if (entry.name === undefined || needed.has(entry.name.toUpperCase())) throw unreadableBalance(entry)
    },
  })
  return new Map(
    balances.map(one => {
      const free = amountAtExchange(one.free)
      return [one.asset, { free, total: add(free, amountAtExchange(one.locked)) }]
    }),
  )
}

/** The same without what of it is free. */
export async function readBalances(
  account: Pick<AccountClient, 'balances'>,
  needed: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Amount>> {
  const read = await readAssetBalances(account, needed)
  return new Map([...read].map(([asset, { total }]) => [asset, total]))
}

function unreadableBalance({ name = 'an asset without a name', key, rule }: UnreadableEntry): SluiceError {
  return new SluiceError(
    `The exchange's balance of ${name} cannot be read: ${key} ${rule}. It is read again.`,
    { code: 'BALANCE_UNREADABLE', reaction: 'skip' },
  )
}
