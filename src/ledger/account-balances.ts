import { rulesOf } from '../domain/account-rules.ts'
import type { AccountType, Instrument } from '../domain/instrument.ts'
import { type Amount, add, ZERO } from '../domain/numbers/amount.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import { Balances } from './balances.ts'

/** Amounts by asset. */
type AssetAmounts = Iterable<readonly [asset: string, amount: Amount]>

/** Balances of one account by asset, or of each of several accounts. */
export type OpeningBalances = AssetAmounts | Readonly<Partial<Record<AccountType, AssetAmounts>>>

/** Balances of one of several accounts, as plain data. */
export interface AccountState {
  readonly account: AccountType
  readonly balances: readonly (readonly [asset: string, amount: Amount])[]
}

/**
 * Balances of the accounts of one ledger: one account, or one of each type that its instruments are traded
 * on.
 */
export class AccountBalances {
  readonly #accounts = new Map<AccountType, Balances>()
  /** Set if there is only one. */
  #only: Balances | undefined

  /** Throws `InvariantError` for the balances of one account where there are instruments of several. */
  constructor(opening: OpeningBalances, types: Iterable<AccountType>) {
    for (const type of types) this.#open(type)
    if (!(Symbol.iterator in opening)) {
      for (const [type, amounts] of Object.entries(opening)) {
        const account = this.#open(type as AccountType) // the keys of the record
        for (const [asset, amount] of amounts) account.set(asset, amount)
      }
      return
    }
    if (this.#accounts.size === 0) this.#open('spot')
    const account = this.in()
    for (const [asset, amount] of opening) account.set(asset, amount)
  }

  /** True if there is only one account. */
  get isSingleAccount(): boolean {
    return this.#only !== undefined
  }

  /** The balances of one account, by default the only one; throws `InvariantError` for one that there is not, and where several make it unclear. */
  in(account?: AccountType): Balances {
    const found = account === undefined ? this.#only : this.#accounts.get(account)
    if (found !== undefined) return found
    const there = [...this.#accounts.keys()].join(' and ')
    throw new InvariantError(
      account === undefined
        ? `There are several accounts, ${there}; say which one.`
        : `There is no ${account} account; there is ${there}.`,
    )
  }

  /** Base of an instrument that its account owns; zero of contracts, which own none. */
  baseOf(instrument: Instrument): Amount {
    return rulesOf(instrument).holdsContracts ? ZERO : this.in(instrument.accountType).of(instrument.base)
  }

  /** Total of an asset over all accounts, zero if never seen. */
  of(asset: string): Amount {
    if (this.#only !== undefined) return this.#only.of(asset)
    let sum = ZERO
    for (const account of this.#accounts.values()) sum = add(sum, account.of(asset))
    return sum
  }

  /** Every asset that any account ever held, with the total over all accounts. */
  entries(): (readonly [asset: string, amount: Amount])[] {
    const assets = new Set(
      [...this.#accounts.values()].flatMap(account => account.entries().map(([asset]) => asset)),
    )
    return Array.from(assets, asset => [asset, this.of(asset)])
  }

  snapshot(): readonly AccountState[] {
    return Array.from(this.#accounts, ([account, balances]) => ({ account, balances: balances.entries() }))
  }

  /** Restores a snapshot, including accounts that no longer have instruments. */
  restore(accounts: readonly AccountState[]): void {
    for (const { account, balances } of accounts) {
      const own = this.#open(account)
      for (const [asset, amount] of balances) own.set(asset, amount)
    }
  }

  #open(type: AccountType): Balances {
    const known = this.#accounts.get(type)
    if (known !== undefined) return known
    const balances = new Balances()
    this.#accounts.set(type, balances)
    this.#only = this.#accounts.size === 1 ? balances : undefined
    return balances
  }
}
