import {
  type Amount,
  add,
  ONE_RATE,
  type Rate,
  smaller,
  subtract,
  times,
  ZERO,
} from '../../domain/numbers/amount.ts'
import type { Account } from '../account.ts'

export interface CreditTerms {
  readonly account: Account
  /** Account of the lender; receives the interest too. */
  readonly lender: Account
  /** Assets ÷ equity may reach this by borrowing. */
  readonly maxLeverage: Rate
  /** For every full hour. */
  readonly hourlyInterestRate: Rate
  /**
   * Value in one common asset; `undefined` without a price: then the asset neither backs a debt nor can be
   * borrowed.
   */
  readonly worthOf: (asset: string, amount: Amount) => Amount | undefined
  /** The exchange's time, ms UTC. */
  readonly now: () => number
}

const HOUR = 3_600_000

/** A credit line as plain data. */
export interface CreditState {
  readonly debts: ReadonlyMap<string, Amount>
  /** Until when interest is counted, hours since 1970. */
  readonly accruedHour: number | undefined
}

/**
 * Debts of a margin account. It borrows the shortfall of an order, and repays at once from any free amount of
 * a borrowed asset.
 */
export class Credit {
  readonly #terms: CreditTerms
  readonly #debts = new Map<string, Amount>()
  #accruedHour: number | undefined

  constructor(terms: CreditTerms) {
    this.#terms = terms
  }

  /** Debts by asset, interest included. */
  get debts(): ReadonlyMap<string, Amount> {
    return this.#debts
  }

  /** All of it. */
  dump(): CreditState {
    return { debts: this.#debts, accruedHour: this.#accruedHour }
  }

  /** Restores a dump. */
  restore({ debts, accruedHour }: CreditState): void {
    for (const [asset, debt] of debts) this.#debts.set(asset, debt)
    this.#accruedHour = accruedHour
  }

  /**
   * True if the value of all assets is at most `ratio` times that of all debts, interest until now included.
   */
  isAtRisk(ratio: Rate): boolean {
    if (this.#debts.size === 0) return false
    this.#accrue()
    return this.#held() <= times(this.#owed(), ratio)
  }

  /** True if an order could reserve an amount, with a loan if needed. */
  canCover(asset: string, amount: Amount): boolean {
    const missing = this.#missing(asset, amount)
    if (missing <= ZERO) return true
    this.#accrue()
    const { worthOf, maxLeverage } = this.#terms
    const worth = worthOf(asset, missing)
    const owed = this.#owed()
    const equity = subtract(this.#held(), owed)
    const limit = times(equity, (maxLeverage - ONE_RATE) as Rate) // a difference of rates
    return worth !== undefined && add(owed, worth) <= limit
  }

  /** Borrows the shortfall of an amount; only after `canCover`. */
  cover(asset: string, amount: Amount): void {
    const missing = this.#missing(asset, amount)
    if (missing <= ZERO) return
    this.#terms.lender.withdraw(asset, missing)
    this.#terms.account.deposit(asset, missing)
    this.#debts.set(asset, add(this.#debts.get(asset) ?? ZERO, missing))
  }

  /** Repays debts from the free amount of the same asset. */
  payBack(): void {
    if (this.#debts.size === 0) return
    this.#accrue()
    const { account, lender } = this.#terms
    for (const [asset, debt] of this.#debts) {
      const paid = smaller(debt, account.holding(asset).free)
      if (paid === ZERO) continue
      account.withdraw(asset, paid)
      lender.deposit(asset, paid)
      if (paid === debt) this.#debts.delete(asset)
      else this.#debts.set(asset, subtract(debt, paid))
    }
  }

  /** Lets `payer` pay everything that is owed. */
  settleBy(payer: Account): void {
    for (const [asset, debt] of this.#debts) {
      payer.withdraw(asset, debt)
      this.#terms.lender.deposit(asset, debt)
    }
    this.#debts.clear()
  }

  #missing(asset: string, amount: Amount): Amount {
    return subtract(amount, this.#terms.account.holding(asset).free)
  }

  #held(): Amount {
    const { account, worthOf } = this.#terms
    return sum([...account.holdings].map(([asset, { free, locked }]) => worthOf(asset, add(free, locked))))
  }

  #owed(): Amount {
    return sum([...this.#debts].map(([asset, debt]) => this.#terms.worthOf(asset, debt)))
  }

  /** Interest compounds hour by hour, so that it does not depend on the number of reads. */
  #accrue(): void {
    const { now, hourlyInterestRate } = this.#terms
    const hour = Math.floor(now() / HOUR)
    const hours = hour - (this.#accruedHour ?? hour)
    this.#accruedHour = hour
    if (hourlyInterestRate === 0n || this.#debts.size === 0) return
    for (const [asset, debt] of this.#debts) {
      let owed = debt
      for (let count = 0; count < hours; count++) owed = add(owed, interestOn(owed, hourlyInterestRate))
      this.#debts.set(asset, owed)
    }
  }
}

/** Rounded up, in the lender's favour. */
function interestOn(debt: Amount, rate: Rate): Amount {
  return ((debt * rate + ONE_RATE - 1n) / ONE_RATE) as Amount // an amount times a rate
}

function sum(amounts: readonly (Amount | undefined)[]): Amount {
  return amounts.reduce<Amount>((total, amount) => add(total, amount ?? ZERO), ZERO)
}
