import { Decimal } from '../../domain/numbers/decimal.ts'

/** A fraction as percent, rounded to four digits: `0.5161%`. */
export function roundedPercentText(fraction: number): string {
  return `${new Decimal(fraction).times(100).toSignificantDigits(4).toFixed()}%`
}
