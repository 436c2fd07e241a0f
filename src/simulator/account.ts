import { type Amount, add, smaller, subtract, ZERO } from '../domain/numbers/amount.ts'
import { InvariantError } from '../domain/sluice-error.ts'

/** Free and locked amount of one asset in an account. */
export interface AssetHolding {
  readonly free: Amount
  /** Reserved by its open orders. */
  readonly locked: Amount
}

/** An asset that an account pays its trading fees with, as long as it has enough of it. */
export interface FeePayment {
  readonly asset: string
  /** Quote per unit, in any quote asset. */
  readonly price: Amount
}

const NOTHING: AssetHolding = { free: ZERO, locked: ZERO }

/** Changed in place: new objects would be most of the allocations of matching. */
type OwnHolding = { -readonly [Key in keyof AssetHolding]: AssetHolding[Key] }

/** Balances of one user of the exchange, or of the exchange itself. */
export class Account {
  readonly uid: number
  /** `undefined`: the asset received pays each fee. */
  readonly feesPaidWith: FeePayment | undefined
  /** True for the exchange's own account, which may go negative: its losses are the users' gains. */
  readonly #mayOwe: boolean
  readonly #holdings = new Map<string, OwnHolding>()

  constructor(uid: number, mayOwe = false, feesPaidWith?: FeePayment) {
    this.uid = uid
    this.#mayOwe = mayOwe
    this.feesPaidWith = feesPaidWith
  }

  /** Everything held, by asset, as it changes. */
  get holdings(): ReadonlyMap<string, AssetHolding> {
    return this.#holdings
  }

  restore(holdings: ReadonlyMap<string, AssetHolding>): void {
    this.#holdings.clear()
    for (const [asset, { free, locked }] of holdings) this.#holdings.set(asset, { free, locked })
  }

  /** Holding of one asset; later changes update the returned object. */
  holding(asset: string): AssetHolding {
    return this.#holdings.get(asset) ?? NOTHING
  }

  /** Adds to the free amount. */
  deposit(asset: string, amount: Amount): void {
    const { free, locked } = this.holding(asset)
    this.#set(asset, add(free, amount), locked)
  }

  /** Takes from the free amount. */
  withdraw(asset: string, amount: Amount): void {
    const { free, locked } = this.holding(asset)
    this.#set(asset, subtract(free, amount), locked)
  }

  /** True if an order could reserve this amount. */
  canLock(asset: string, amount: Amount): boolean {
    return this.#mayOwe || this.holding(asset).free >= amount
  }

  /** Reserves an amount that is free. */
  lock(asset: string, amount: Amount): void {
    const { free, locked } = this.holding(asset)
    this.#set(asset, subtract(free, amount), add(locked, amount))
  }

  /** Frees an amount that is reserved. */
  unlock(asset: string, amount: Amount): void {
    this.lock(asset, -amount as Amount) // the reverse of a lock
  }

  /** Pays an amount that is reserved. */
  spend(asset: string, amount: Amount): void {
    const { free, locked } = this.holding(asset)
    this.#set(asset, free, subtract(locked, amount))
  }

  #set(asset: string, free: Amount, locked: Amount): void {
    if (locked < 0n || (!this.#mayOwe && smaller(free, locked) < 0n)) {
      throw new InvariantError(
        `Account ${this.uid} would hold ${free} free and ${locked} locked of ${asset}.`,
      )
    }
    const held = this.#holdings.get(asset)
    if (held === undefined) this.#holdings.set(asset, { free, locked })
    else {
      held.free = free
      held.locked = locked
    }
  }
}
