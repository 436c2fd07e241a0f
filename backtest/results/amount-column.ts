import { type Amount, amountToText } from '../../src/domain/numbers/amount.ts'
import { InvariantError } from '../../src/domain/sluice-error.ts'

const FIRST_ROWS = 256
const WORD_BITS = 64

/**
 * Amounts of rows, each as two words of 64 bits: no amount is kept as an object, of which the garbage collector would have to
 * take care. 128 bits hold 10^20 units of an asset.
 */
export class AmountColumn {
  #words = new BigInt64Array(2 * FIRST_ROWS)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Throws `InvariantError` for an amount that does not fit. */
  push(amount: Amount): void {
    const high = amount >> BigInt(WORD_BITS)
    if (BigInt.asIntN(WORD_BITS, high) !== high)
      throw new InvariantError(`An amount of ${amountToText(amount)} does not fit 128 bits.`)
    const place = 2 * this.#length++
    if (place === this.#words.length) {
      const before = this.#words
      this.#words = new BigInt64Array(2 * before.length)
      this.#words.set(before)
    }
    this.#words[place] = amount
    this.#words[place + 1] = high
  }

  /** The amount of a row that was pushed. */
  at(row: number): Amount {
    const [low, high] = [this.#words[2 * row] as bigint, this.#words[2 * row + 1] as bigint] // a row
    return ((high << BigInt(WORD_BITS)) | BigInt.asUintN(WORD_BITS, low)) as Amount
  }
}
