import { Account, type FeePayment } from './account.ts'
import { Credit, type CreditTerms } from './margin/credit.ts'
import type { SimulatorConfig } from './simulator-config.ts'
import { OrderHistory } from './spot/order-history.ts'
import type { MarginTrader, Trader } from './trader.ts'

const FIRST_UID = 10_001

type UserEntry = SimulatorConfig['accounts'][number]

/** A user of the exchange; it trades with its spot account. */
export interface User extends Trader {
  readonly apiKey: string
  readonly apiSecret: string
  /** Addresses its key may be used from; `undefined` for any. */
  readonly allowedIps: readonly string[] | undefined
  /** The margin account, with balances, orders and trades of its own. */
  readonly margin: MarginTrader
}

/** The users of a configuration, with the money they begin with. */
export function openUsers(
  { accounts, margin, keptRecords }: SimulatorConfig,
  bank: Pick<CreditTerms, 'lender' | 'worthOf' | 'now'>,
): readonly User[] {
  return accounts.map((entry, index) => {
    const { apiKey, apiSecret, allowedIps, mayTrade } = entry
    const account = funded(FIRST_UID + index, entry.balances, entry.feesPaidWith)
    const marginAccount = funded(FIRST_UID + index, entry.marginBalances)
    const credit = new Credit({ ...bank, ...margin, account: marginAccount })
    return {
      ...{ apiKey, apiSecret, allowedIps, mayTrade, account, credit: undefined },
      history: new OrderHistory(keptRecords),
      margin: { account: marginAccount, history: new OrderHistory(keptRecords), credit, mayTrade },
    }
  })
}

function funded(uid: number, balances: UserEntry['balances'], feesPaidWith?: FeePayment): Account {
  const account = new Account(uid, false, feesPaidWith)
  for (const [asset, amount] of Object.entries(balances)) account.deposit(asset, amount)
  return account
}
