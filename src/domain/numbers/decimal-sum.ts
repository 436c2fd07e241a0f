import { Decimal } from './decimal.ts'

/** Upper bound of whole numbers with at most 15 digits; a `number` tells all decimals of that length apart. */
const MOST_UNITS = 1e15
/** Powers of ten that a `number` holds exactly. */
const UNITS_PER_ONE = Array.from({ length: 23 }, (_, decimals) => Number(`1e${decimals}`))

/**
 * Sum of decimals that are given as numbers, such as volumes. Each part counts as its shortest decimal text, and
 * the sum is the number nearest to the exact decimal sum: 0.1 and 0.2 make 0.3. So it does not depend on the
 * order of the parts, nor on sums in between. Whole units of the finest part are added, which is exact up to
 * 2^53; parts of more than 15 digits and longer sums take decimal.js.
 */
export class DecimalSum {
  /** Decimals of a unit. */
  #decimals = 0
  #units = 0
  /** Parts that are not in the units. */
  #rest: Decimal | undefined

  /** The sum so far; 0 without parts. */
  get value(): number {
    if (this.#rest === undefined) return this.#units / unitsPerOne(this.#decimals)
    return this.#rest.plus(this.#decimal()).toNumber()
  }

  add(part: number): void {
    for (let decimals = this.#decimals; decimals < UNITS_PER_ONE.length; decimals++) {
      const scale = unitsPerOne(decimals)
      const units = Math.round(part * scale)
      if (!(Math.abs(units) < MOST_UNITS)) break
      if (units / scale === part) {
        this.#addUnits(units, decimals)
        return
      }
    }
    this.#addRest(new Decimal(part))
  }

  #addUnits(units: number, decimals: number): void {
    const sum = this.#units * unitsPerOne(decimals - this.#decimals) + units
    if (Number.isSafeInteger(sum)) {
      this.#units = sum
    } else {
      this.#addRest(this.#decimal())
      this.#units = units
    }
    this.#decimals = decimals
  }

  #addRest(part: Decimal): void {
    this.#rest = this.#rest?.plus(part) ?? part
  }

  #decimal(): Decimal {
    return new Decimal(this.#units).div(unitsPerOne(this.#decimals))
  }
}

function unitsPerOne(decimals: number): number {
  return UNITS_PER_ONE[decimals] as number // 0 to 22
}
