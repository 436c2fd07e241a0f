import type { Amount } from '../../domain/numbers/amount.ts'

/** The futures side of a transfer, by the uid of the user; amounts are above 0. */
export interface FuturesWallet {
  /** Whether futures accounts hold this coin. */
  accepts(coin: string): boolean
  /** What can be taken out now. */
  transferable(uid: number, coin: string): Amount
  /** Brings money in. */
  deposit(uid: number, coin: string, amount: Amount): void
  /** Takes money out, at most what is transferable. */
  withdraw(uid: number, coin: string, amount: Amount): void
}
