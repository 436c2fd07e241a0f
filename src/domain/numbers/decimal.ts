import { Decimal as DecimalJs } from 'decimal.js'
import { UsageError } from '../sluice-error.ts'

/**
 * decimal.js with 60 significant digits and without exponent notation in its text: exact for every product of
 * a price, a quantity and a rate that the exchange interface can carry. For the boundary only, never per
 * kline, but for volumes too long for a number.
 */
export const Decimal = DecimalJs.clone({ precision: 60, toExpNeg: -60, toExpPos: 60, defaults: true })
export type Decimal = DecimalJs

/** Parses a finite decimal of any length; throws `UsageError` for other text. */
export function decimalOf(value: string | number | Decimal): Decimal {
  try {
    const decimal = new Decimal(value)
    if (decimal.isFinite()) return decimal
  } catch (cause) {
    throw new UsageError(`"${value}" is not a decimal number.`, cause)
  }
  throw new UsageError(`${value} is not a finite number.`)
}
