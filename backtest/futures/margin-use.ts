import type { Instrument } from '../../src/domain/instrument.ts'
import { type Amount, add, amountToNumber, ZERO } from '../../src/domain/numbers/amount.ts'
import { quantityOf } from '../../src/domain/numbers/grid.ts'
import { initialMargin } from '../../src/ledger/contract-margin.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'

/** Highest leverage and margin use of a futures account. */
export interface MarginFigures {
  /** Highest notional of all positions ÷ equity at any close. */
  readonly highestLeverage: number
  /** The highest initial margin of all positions ÷ equity at any close; at 1 no money is free for orders. */
  readonly highestUse: number
  /** Losses beyond the money behind a position, which the exchange bore, in quote. */
  readonly borneLoss: Amount
}

/**
 * Tracks leverage and margin use of a futures account at the closes: notional and margin of its positions
 * against its own equity.
 */
export class MarginUse {
  #highestLeverage = 0
  #highestUse = 0
  readonly #quote: string
  readonly #ledger: Ledger

  constructor(quote: string, ledger: Ledger) {
    this.#quote = quote
    this.#ledger = ledger
  }

  get figures(): MarginFigures {
    return {
      highestLeverage: this.#highestLeverage,
      highestUse: this.#highestUse,
      borneLoss: this.#ledger.contracts.borneLoss(this.#quote),
    }
  }

  /** True while positions are held. */
  get isHolding(): boolean {
    return !this.#ledger.contracts.areNone
  }

  /** Takes an equity in, with the price of every instrument. */
  note(equity: number, priceOf: (instrument: Instrument) => number): void {
    const { contracts } = this.#ledger
    if (contracts.areNone || equity <= 0) return
    let [worth, margin] = [0, ZERO]
    for (const { instrument, position } of contracts.held) {
      worth += quantityOf(instrument, position.quantity) * priceOf(instrument)
      margin = add(margin, initialMargin(instrument, position.cost))
    }
    this.#highestLeverage = Math.max(this.#highestLeverage, worth / equity)
    this.#highestUse = Math.max(this.#highestUse, amountToNumber(margin) / equity)
  }

  /** Updates from the rows `from` to `to - 1` of a lone instrument, without trades between them. */
  noteRows(close: Float64Array, equity: Float64Array, from: number, to: number): void {
    if (this.#ledger.contracts.areNone) return
    let [lowest, highest] = [from, from]
    for (let row = from; row < to; row++) {
      // Leverage and use are highest where price or equity is at an end: that of either sign of the position.
      if ((close[row] as number) < (close[lowest] as number)) lowest = row // inside the bounds, as below
      if ((close[row] as number) > (close[highest] as number)) highest = row
    }
    for (const row of [lowest, highest]) this.note(equity[row] as number, () => close[row] as number)
  }
}
