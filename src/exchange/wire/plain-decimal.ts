import { Decimal } from '../../domain/numbers/decimal.ts'

/** Most digits of an integer that is certainly exact as a double. */
const MOST_DIGITS = 15
/** decimal.js stores seven digits in a word, counted from the decimal point. */
const WORD_DIGITS = 7
const WORD = 10 ** WORD_DIGITS

const [POINT, ZERO] = [0x2e, 0x30]

const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

interface Parts {
  constructor: unknown
  s: number
  e: number
  d: readonly number[]
}

/** Sets sign, exponent and digit words like the constructor of decimal.js. */
function FilledDecimal(this: Parts, e: number, d: readonly number[]): void {
  this.constructor = Decimal
  this.s = 1
  this.e = e
  this.d = d
}
FilledDecimal.prototype = Decimal.prototype

// The function has the prototype of decimals; only a class could show that to the compiler.
const PositiveDecimal = FilledDecimal as unknown as new (e: number, d: readonly number[]) => Decimal

/**
 * Parses plain unsigned decimal text such as `30000.12`, which nearly all numbers on the wire are, seven
 * times as fast as decimal.js. `undefined` for longer text and any other notation, also for valid decimals.
 */
export function plainDecimal(text: string): Decimal | undefined {
  const { length } = text
  if (length > MOST_DIGITS + 1 || length === 0) return undefined
  let whole = 0
  let fraction = 0
  let decimals = -1
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    const digit = code - ZERO
    if (digit >= 0 && digit <= 9) {
      if (decimals === -1) whole = whole * 10 + digit
      else {
        fraction = fraction * 10 + digit
        decimals++
      }
    } else if (code === POINT && decimals === -1 && at > 0) decimals = 0
    else return undefined
  }
  if (fraction > 0 && whole < WORD && decimals <= 2 * WORD_DIGITS) return fromParts(whole, fraction, decimals)
  return fraction === 0 && whole < WORD ? new PositiveDecimal(digitsOf(whole) - 1, [whole]) : undefined
}

/** `whole` below 10^7, and a fraction above 0 of at most 14 digits. */
function fromParts(whole: number, fraction: number, decimals: number): Decimal {
  const scaled = fraction * (POWERS[2 * WORD_DIGITS - decimals] ?? Number.NaN)
  const first = Math.floor(scaled / WORD)
  const second = scaled - first * WORD
  if (whole > 0) {
    const words = second > 0 ? [whole, first, second] : [whole, first]
    return new PositiveDecimal(digitsOf(whole) - 1, words)
  }
  const words = first === 0 ? [second] : second > 0 ? [first, second] : [first]
  return new PositiveDecimal(digitsOf(fraction) - 1 - decimals, words)
}

function digitsOf(value: number): number {
  let digits = 1
  while (value >= (POWERS[digits] ?? Number.POSITIVE_INFINITY)) digits++
  return digits
}
