import type { Amount } from '../../domain/numbers/amount.ts'

/** The futures side of a transfer, by the uid of the user; amounts are above 0. */
export interface FuturesWallet {
  /** True if futures accounts hold this coin. */
  accepts(coin: string): boolean
  /** Amount that can be withdrawn now. */
  transferable(uid: number, coin: string): Amount
  /** Brings money in. */
  deposit(uid: number, coin: string, amount: Amount): void
  /** Withdraws money; `amount` must not exceed the transferable amount. */
  withdraw(uid: number, coin: string, amount: Amount): void
}
