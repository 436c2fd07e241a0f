import { NO_STEPS, type Steps, steps, type Ticks } from '../domain/numbers/grid.ts'
import type { ShownLevel } from './observation.ts'

/** Withheld liquidity of one side as plain data. */
export interface WithheldLiquidityState {
  /** Taken by own orders and still withheld, by price. */
  readonly taken: ReadonlyMap<Ticks, number>
  /** Shown by the latest snapshot, by price; only of prices with something taken. */
  readonly shown: ReadonlyMap<Ticks, number>
  /** Traded by others since that snapshot, by price. */
  readonly traded: ReadonlyMap<Ticks, number>
}

/**
 * What own orders took of one side of an observed book. The host knows nothing of it and shows it again, so it
 * is withheld until new supply is proven: by a quantity that grows, by a level that was gone, or by others who
 * traded more there than own orders had left.
 */
export class WithheldLiquidity {
  readonly #taken = new Map<Ticks, number>()
  readonly #shown = new Map<Ticks, number>()
  readonly #traded = new Map<Ticks, number>()

  /** True if nothing is withheld. */
  get isNone(): boolean {
    return this.#taken.size === 0
  }

  dump(): WithheldLiquidityState {
    return { taken: this.#taken, shown: this.#shown, traded: this.#traded }
  }

  restore({ taken, shown, traded }: WithheldLiquidityState): void {
    for (const [price, quantity] of taken) this.#taken.set(price, quantity)
    for (const [price, quantity] of shown) this.#shown.set(price, quantity)
    for (const [price, quantity] of traded) this.#traded.set(price, quantity)
  }

  /** Quantity of a shown level that an order can take. */
  available({ price, quantity }: ShownLevel): Steps {
    return steps(Math.max(0, quantity - (this.#taken.get(price) ?? 0)))
  }

  /** An own order took `quantity` of a level. */
  take({ price, quantity: shown }: ShownLevel, quantity: Steps): void {
    this.#taken.set(price, (this.#taken.get(price) ?? 0) + quantity)
    this.#shown.set(price, shown)
  }

  /** Others traded at a price of this side after the latest snapshot. */
  trade(price: Ticks, quantity: Steps): void {
    if (this.#taken.has(price)) this.#traded.set(price, (this.#traded.get(price) ?? 0) + quantity)
  }

  /** Takes the next snapshot; `shownAt` gives its quantity at a price, `undefined` where it does not reach. */
  show(shownAt: (price: Ticks) => Steps | undefined): void {
    for (const [price, taken] of this.#taken) {
      const shown = shownAt(price)
      if (shown === undefined) continue
      // Others traded with what own orders had left, and beyond that with new supply.
      const before = (this.#shown.get(price) ?? 0) - (this.#traded.get(price) ?? 0)
      const rest = Math.min(taken, before, shown)
      this.#traded.delete(price)
      this.#shown.set(price, shown)
      if (rest > NO_STEPS) this.#taken.set(price, rest)
      else this.#forget(price)
    }
  }

  #forget(price: Ticks): void {
    this.#taken.delete(price)
    this.#shown.delete(price)
  }
}
