import {
  type Amount,
  add,
  amountToText,
  larger,
  negate,
  smaller,
  subtract,
  ZERO,
} from '../../domain/numbers/amount.ts'

/** Result of all round trips in one quote asset; money is exact text. */
export interface TripTotal {
  readonly quote: string
  readonly count: number
  /** Number of round trips with a profit. */
  readonly won: number
  readonly pnl: string
  readonly average: string
  readonly best: string
  readonly worst: string
  /** Sum of the profits. */
  readonly gained: string
  /** Sum of the losses, not negative. */
  readonly lost: string
}

interface Sums {
  count: number
  won: number
  gained: Amount
  lost: Amount
  best: Amount
  worst: Amount
}

/** Sums over all round trips by quote asset, also over those that no list keeps any more. */
export class TripTotals {
  readonly #sums = new Map<string, Sums>()

  /** Takes the profit of a round trip, in quote, after fees. */
  add(quote: string, pnl: Amount): void {
    const sums = this.#sums.get(quote) ?? {
      ...{ count: 0, won: 0, gained: ZERO, lost: ZERO },
      ...{ best: pnl, worst: pnl },
    }
    this.#sums.set(quote, sums)
    sums.count++
    if (pnl > ZERO) sums.won++
    if (pnl > ZERO) sums.gained = add(sums.gained, pnl)
    else sums.lost = add(sums.lost, negate(pnl))
    sums.best = larger(sums.best, pnl)
    sums.worst = smaller(sums.worst, pnl)
  }

  /** Number of round trips in all assets. */
  get count(): number {
    let count = 0
    for (const sums of this.#sums.values()) count += sums.count
    return count
  }

  /** One result for each quote asset. */
  get all(): readonly TripTotal[] {
    return [...this.#sums].map(([quote, { count, won, gained, lost, best, worst }]) => {
      const pnl = subtract(gained, lost)
      return {
        ...{ quote, count, won },
        pnl: amountToText(pnl),
        average: amountToText((pnl / BigInt(count)) as Amount),
        ...{ best: amountToText(best), worst: amountToText(worst) },
        ...{ gained: amountToText(gained), lost: amountToText(lost) },
      }
    })
  }
}
