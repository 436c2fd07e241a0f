import { type Amount, absolute } from '../domain/numbers/amount.ts'
import type { DifferencePart } from './difference-part.ts'
import type { Exact } from './order-money.ts'
import { type CausedMoney, smallerSize } from './price-parts.ts'

/** Base that live holds more than the backtest (less, if negative), and the cause by which it came. */
interface Lot {
  readonly cause: DifferencePart
  readonly base: Amount
}

/**
 * Difference between what both runs hold in a book. Every part of it keeps its cause until an order of either run ends it,
 * first in, first out as in round trips: the money of a cause is that of whole round trips, and moves with the market no longer
 * than the difference lasts.
 */
export class HeldDifference {
  /** All of one sign. */
  #lots: readonly Lot[] = []
  readonly #step: Amount
  #cause: DifferencePart | undefined

  /** `step`: smallest base that can be traded; fees in base leave less than that behind. */
  constructor(step: Amount) {
    this.#step = step
  }

  /** Base that live holds more. */
  get base(): Amount {
    return this.#lots.reduce((sum, lot) => sum + lot.base, 0n) as Amount
  }

  /** True if one run holds what it could sell and the other could not. */
  get isApart(): boolean {
    return absolute(this.base) >= this.#step
  }

  /** Why the runs have come apart: orders that one of them alone places follow from it. */
  get cause(): DifferencePart | undefined {
    return this.#cause
  }

  /**
   * Books base that live got more, with what it adds to the difference in money: as far as it ends an older difference, to the
   * cause of that one, and else to its own.
   */
  move(base: Amount, money: Exact, cause: DifferencePart): readonly CausedMoney[] {
    const moved: Lot[] = []
    let left: bigint = base
    for (let [oldest] = this.#lots; isEnd(oldest, left); [oldest] = this.#lots) {
      const size = smallerSize(oldest.base, left as Amount)
      const ending = (left > 0n ? size : -size) as Amount
      const rest = (oldest.base + ending) as Amount
      moved.push({ cause: oldest.cause, base: ending })
      this.#lots = [...(rest === 0n ? [] : [{ ...oldest, base: rest }]), ...this.#lots.slice(1)]
      left -= ending
    }
    const own: Lot = { cause, base: left as Amount }
    if (left !== 0n) this.#lots = [...this.#lots, own]
    return shared(money, left === 0n && base !== 0n ? moved : [...moved, own])
  }

  /** Books what only one run traded, or one of them more of; what follows has the same cause until `reunite`. */
  diverge(base: Amount, money: Exact, cause: DifferencePart): readonly CausedMoney[] {
    const parts = this.move(base, money, cause)
    if (base !== 0n) this.#cause = parts.at(-1)?.part
    return parts
  }

  /** Notes that both runs have traded the same: what follows has causes of its own if they hold the same as well. */
  reunite(): void {
    if (!this.isApart) this.#cause = undefined
  }
}

/** True if base ends a lot: one of them is bought, the other sold. */
function isEnd(lot: Lot | undefined, base: bigint): lot is Lot {
  return lot !== undefined && base !== 0n && lot.base > 0n !== base > 0n
}

/** Money by the base of each lot, each share of the remainder, so that shares add up. */
function shared(money: Exact, lots: readonly Lot[]): readonly CausedMoney[] {
  let base = lots.reduce((sum, lot) => sum + lot.base, 0n)
  let left = money
  return lots.map(lot => {
    const amount = lot.base === base ? left : (left * lot.base) / base
    base -= lot.base
    left -= amount
    return { part: lot.cause, amount }
  })
}
