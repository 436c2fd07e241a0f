import type { Instrument } from '../../src/domain/instrument.ts'
import { priceOf, type Ticks } from '../../src/domain/numbers/grid.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'

/** The nearest mark prices (quote per base) below and above that liquidate a position, if any. */
export interface Levels {
  readonly below: number
  readonly above: number
}

const NONE: Levels = { below: Number.NEGATIVE_INFINITY, above: Number.POSITIVE_INFINITY }

/** Keeps the levels of one instrument, found anew only after the ledger has changed, or whenever other contracts share its margin. */
export class LiquidationLevels {
  readonly #instrument: Instrument
  readonly #ledger: Ledger
  #changes = -1
  #levels = NONE
  #areShared = false

  constructor(instrument: Instrument, ledger: Ledger) {
    this.#instrument = instrument
    this.#ledger = ledger
  }

  /** The levels around a mark price. They hold until the ledger changes or the mark price reaches one. */
  around(mark: Ticks): Levels {
    const price = priceOf(this.#instrument, mark)
    const isBetween = price > this.#levels.below && price < this.#levels.above
    if (isBetween && this.#changes === this.#ledger.changes && !this.#areShared) return this.#levels
    this.#changes = this.#ledger.changes
    const { contracts } = this.#ledger
    this.#levels = contracts.areNone ? NONE : this.#find(mark)
    const { quote, symbol } = this.#instrument
    this.#areShared = contracts.cross(quote).held.some(({ instrument }) => instrument.symbol !== symbol)
    return this.#levels
  }

  #find(mark: Ticks): Levels {
    const { liquidations } = this.#ledger
    const below = liquidations.firstDue(this.#instrument, mark, 'down')
    const above = liquidations.firstDue(this.#instrument, mark, 'up')
    return {
      below: below === undefined ? NONE.below : priceOf(this.#instrument, below),
      above: above === undefined ? NONE.above : priceOf(this.#instrument, above),
    }
  }
}
