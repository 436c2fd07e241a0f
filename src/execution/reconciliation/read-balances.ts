import { type Amount, add, amountOf } from '../../domain/numbers/amount.ts'
import type { AccountClient } from '../../exchange/client/account-client.ts'

/** Balance of each asset of the account: free and locked together. */
export async function readBalances(
  account: Pick<AccountClient, 'balances'>,
): Promise<ReadonlyMap<string, Amount>> {
  const balances = await account.balances()
  return new Map(balances.map(({ asset, free, locked }) => [asset, add(amountOf(free), amountOf(locked))]))
}
