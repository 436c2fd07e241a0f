import { amountOf } from '../domain/numbers/amount.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { ExchangeCore } from './exchange-core.ts'
import type { Deposit } from './exchange-input.ts'

/** Gives a user money from nowhere; throws `UsageError` for an unknown user or an amount that is none. */
export function deposit({ state, futures }: ExchangeCore, { uid, asset, amount, wallet }: Deposit): void {
  const user = state.users.find(({ account }) => account.uid === uid)
  const money = amountOf(amount)
  if (user === undefined) {
    const known = state.users.map(({ account }) => account.uid)
    throw new UsageError(`There is no account with the uid ${uid}; there are ${known.join(', ')}.`)
  }
  if (money <= 0n) throw new UsageError(`A deposit must be above 0, but it is ${amount}.`)
  if (wallet === 'futures') futures.deposit(futures.accountOf(uid), asset, money)
  else (wallet === 'margin' ? user.margin : user).account.deposit(asset, money)
}
