import { type Amount, add } from './amount.ts'
import { productOf } from './grid.ts'

/**
 * An exact sum of products of whole numbers, such as of prices and quantities: kept in a double while that is a safe integer, and
 * in a bigint beyond. The digits are the same.
 */
export class WorthSum {
  #amount: Amount
  /** The part of the sum beside `#amount`: a safe integer, in units of 10^-#decimals. */
  #units = 0
  #decimals = 0

  constructor(amount: Amount) {
    this.#amount = amount
  }

  get total(): Amount {
    return this.#units === 0 ? this.#amount : add(this.#amount, productOf(this.#units, 1, this.#decimals))
  }

  add(amount: Amount): void {
    this.#amount = add(this.#amount, amount)
  }

  /** Adds the product of two whole numbers, in units of 10^-decimals. */
  addProduct(left: number, right: number, decimals: number): void {
    if (decimals !== this.#decimals) {
      this.#amount = this.total
      this.#units = 0
      this.#decimals = decimals
    }
    const product = left * right
    const sum = this.#units + product
    if (Number.isSafeInteger(product) && Number.isSafeInteger(sum)) this.#units = sum
    else this.add(productOf(left, right, decimals))
  }
}
