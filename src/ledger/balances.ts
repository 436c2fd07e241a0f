import { type Amount, add, negate, ZERO } from '../domain/amount.ts'
import type { Fill } from '../domain/fill.ts'
import { baseAmount, notionalOf } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'

/** What the account holds, by asset. A margin account's balances may be negative: that is what it borrowed. */
export class Balances {
  readonly #amounts: Map<string, Amount>

  constructor(amounts: Iterable<readonly [string, Amount]>) {
    this.#amounts = new Map(amounts)
  }

  /** Amount held of an asset, zero if never seen. */
  of(asset: string): Amount {
    return this.#amounts.get(asset) ?? ZERO
  }

  /** Every asset ever held. */
  entries(): Iterable<readonly [string, Amount]> {
    return this.#amounts
  }

  /** Sets what the exchange reports. */
  set(asset: string, amount: Amount): void {
    this.#amounts.set(asset, amount)
  }

  /** Exchanges base for quote, or the other way, and pays the fee. */
  book(instrument: Instrument, fill: Fill): void {
    const base = baseAmount(instrument, fill.quantity)
    const quote = notionalOf(instrument, fill.price, fill.quantity)
    this.#change(instrument.base, fill.side === 'buy' ? base : negate(base))
    this.#change(instrument.quote, fill.side === 'buy' ? negate(quote) : quote)
    this.#change(fill.feeAsset, negate(fill.fee))
  }

  #change(asset: string, by: Amount): void {
    this.#amounts.set(asset, add(this.of(asset), by))
  }
}
