import { ExplainedVolume } from './explained-volume.ts'
import type { ObservedTrade } from './observation.ts'
import { WithheldLiquidity } from './withheld-liquidity.ts'

/** Steps that own orders used of one public trade. */
export interface TradeUse {
  /** On the side of its maker. */
  made: number
  /** Beside its taker. */
  beside: number
  /** True once it counts in `explained` and `withheld`. */
  isTold: boolean
}

/**
 * What the orders of several matchings have used of one observed market, so that each unit of it trades once. All of them take
 * the same observations, each moment one matching after the other.
 */
export class SharedLiquidity {
  readonly withheld = { buy: new WithheldLiquidity(), sell: new WithheldLiquidity() }
  readonly explained = new ExplainedVolume()
  /** Time of the latest snapshot that any of them took, ms UTC. */
  shownAt: number | undefined
  #at = Number.NaN
  /** Use of the trades that became known at `#at`, by their ids. */
  readonly #uses = new Map<string, TradeUse>()

  /** Use so far of a trade that became known at `at`, ms UTC, to be written on. */
  useOf({ id }: ObservedTrade, at: number): TradeUse {
    if (at !== this.#at) {
      this.#at = at
      this.#uses.clear()
    }
    const use = this.#uses.get(id) ?? { made: 0, beside: 0, isTold: false }
    this.#uses.set(id, use)
    return use
  }
}
