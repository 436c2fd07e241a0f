import type { AccountEquity } from '../../bot/state/account-moves.ts'
import {
  type Amount,
  add,
  amountOf,
  amountToNumber,
  larger,
  subtract,
  ZERO,
} from '../../domain/numbers/amount.ts'

/**
 * The highest results of an account, from which its drawdowns count as the drawdown protection counts them: deposits and
 * withdrawals move the peak along.
 */
export class EquityPeaks {
  /** Highest equity less what was moved, by quote asset. */
  readonly #highest = new Map<string, Amount>()

  /** Takes equity, in any order. */
  note(account: AccountEquity): void {
    for (const [quote, result] of resultsOf(account))
      this.#highest.set(quote, larger(result, this.#highest.get(quote) ?? result))
  }

  /** Fall below the highest that was noted as a fraction of it, 0 to 1; 0 where there is nothing to fall from. */
  drawdownOf(account: AccountEquity, quote: string): number {
    const highest = this.#highest.get(quote)
    const result = resultsOf(account).get(quote)
    if (highest === undefined || result === undefined) return 0
    const peak = add(highest, amountOf(account.moved[quote] ?? '0'))
    if (peak <= ZERO) return 0
    return amountToNumber(larger(subtract(highest, result), ZERO)) / amountToNumber(peak)
  }
}

function resultsOf({ equity, moved }: AccountEquity): ReadonlyMap<string, Amount> {
  return new Map(
    Object.entries(equity).map(([quote, text]) => [
      quote,
      subtract(amountOf(text), amountOf(moved[quote] ?? '0')),
    ]),
  )
}
