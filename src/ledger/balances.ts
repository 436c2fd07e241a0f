import type { Instrument } from '../domain/instrument.ts'
import { type Amount, add, subtract, ZERO } from '../domain/numbers/amount.ts'
import { baseAmount, notionalOf } from '../domain/numbers/grid.ts'
import type { Fill } from '../domain/orders/fill.ts'

/** Balance of one asset. */
interface Balance {
  readonly asset: string
  amount: Amount
}

/** Balances of an account, by asset. Those of a margin account may be negative: that amount is borrowed. */
export class Balances {
  readonly #balances = new Map<string, Balance>()

  /** Balance of an asset, zero if never seen. */
  of(asset: string): Amount {
    return this.#balances.get(asset)?.amount ?? ZERO
  }

  /** Every asset ever held. */
  entries(): (readonly [string, Amount])[] {
    return Array.from(this.#balances.values(), ({ asset, amount }) => [asset, amount])
  }

  /** Adopts the balance reported by the exchange. */
  set(asset: string, amount: Amount): void {
    this.#balance(asset).amount = amount
  }

  /** Exchanges base for quote, or the other way, and pays the fee. */
  book(instrument: Instrument, { side, price, quantity, fee, feeAsset }: Fill): void {
    const base = this.#balance(instrument.base)
    const quote = this.#balance(instrument.quote)
    const bought = baseAmount(instrument, quantity)
    const paid = notionalOf(instrument, price, quantity)
    base.amount = side === 'buy' ? add(base.amount, bought) : subtract(base.amount, bought)
    quote.amount = side === 'buy' ? subtract(quote.amount, paid) : add(quote.amount, paid)
    const charged = this.#balance(feeAsset)
    charged.amount = subtract(charged.amount, fee)
  }

  #balance(asset: string): Balance {
    const known = this.#balances.get(asset)
    if (known !== undefined) return known
    const balance = { asset, amount: ZERO }
    this.#balances.set(asset, balance)
    return balance
  }
}
