import type { AccountType, Instrument } from './instrument.ts'

/** Differences between kinds of accounts. */
export interface AccountRules {
  /** Fills open and close contracts, and free quote backs both sides; otherwise fills exchange base for quote. */
  readonly holdsContracts: boolean
  /** Limit of an entry: the account's own assets, equity × leverage, or free margin. */
  readonly boundBy: 'balance' | 'leverage' | 'margin'
  /** Positions may be short; otherwise every sell is an exit, and equity cannot fall below zero. */
  readonly canBeShort: boolean
  /** A short position is base that the account owes. */
  readonly owesBase: boolean
  /** Data that reconciliation compares with the ledger; of a margin account the exchange reports trades only. */
  readonly comparedBy: 'balances' | 'trades' | 'positions'
  /** The exchange cancels the unfilled part of an IOC order; otherwise the bot cancels it. */
  readonly cancelsIocRest: boolean
}

const RULES: Readonly<Record<AccountType, AccountRules>> = {
  spot: {
    ...{ holdsContracts: false, boundBy: 'balance', canBeShort: false, owesBase: false },
    ...{ comparedBy: 'balances', cancelsIocRest: true },
  },
  margin: {
    ...{ holdsContracts: false, boundBy: 'leverage', canBeShort: true, owesBase: true },
    ...{ comparedBy: 'trades', cancelsIocRest: false },
  },
  futures: {
    ...{ holdsContracts: true, boundBy: 'margin', canBeShort: true, owesBase: false },
    ...{ comparedBy: 'positions', cancelsIocRest: true },
  },
}

const OWN_FUNDS_MARGIN: AccountRules = { ...RULES.margin, boundBy: 'balance' }

/** The rules of the account that an instrument is traded on. */
export function rulesOf({ accountType, ownFundsOnly }: Instrument): AccountRules {
  return ownFundsOnly === true ? OWN_FUNDS_MARGIN : RULES[accountType]
}
