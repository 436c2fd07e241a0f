import { amountToText } from '../../domain/numbers/amount.ts'
import type { LockedCoins } from '../../execution/reconciliation/reconciliation-report.ts'

/** Coins of a position that is to be sold, and that open orders of others lock; as of the latest look at the account. */
export interface LockedCoinsStatus {
  readonly symbol: string
  readonly asset: string
  /** Base units that can be sold, as text. */
  readonly free: string
  /** Base units on the account, free and locked, as text. */
  readonly exchange: string
}

/** Locked coins with their amounts as text. */
export function lockedCoinsStatus({ symbol, asset, free, exchange }: LockedCoins): LockedCoinsStatus {
  return { symbol, asset, free: amountToText(free), exchange: amountToText(exchange) }
}
