const ZERO = 48
const DOT = 46
const COMMA = 44
const CLOSING_BRACKET = 93

/** Powers of ten that are exact doubles. */
const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)
const DECIMAL_TEXT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
/** Digits that certainly fit a 32-bit integer, which is faster to build than a double. */
const SMALL_DIGITS = 9

/**
 * Parses the field that starts at `start` into `row[field]`, NaN if it is not a finite decimal number;
 * returns its end: before a comma, a closing bracket, or at the end of `bytes`.
 * Digits form an integer mantissa; below 2^53, divided by a power of ten up to 10^22, the quotient of two
 * exact doubles is correctly rounded (W. D. Clinger, "How to Read Floating Point Numbers Accurately", 1990).
 * Other numbers go to `Number`.
 */
export function readDecimalField(bytes: Uint8Array, start: number, row: Float64Array, field: number): number {
  let high = 0
  let low = 0
  let digits = 0
  let dotAt = -1
  let at = start
  for (; at < bytes.length; at++) {
    const digit = (bytes[at] as number) - ZERO // inside the bounds
    if (digit >= 0 && digit <= 9) {
      if (digits === SMALL_DIGITS) {
        high = low
        low = digit
      } else low = (Math.imul(low, 10) + digit) | 0
      digits++
    } else if (digit === DOT - ZERO && dotAt < 0) dotAt = at
    else break
  }
  if (digits === 0 || digits > 2 * SMALL_DIGITS || !isFieldEnd(bytes, at)) {
    return readUncommonField(bytes, start, row, field)
  }
  // Both exponents are at most 18.
  const mantissa = digits <= SMALL_DIGITS ? low : high * (EXACT_POWERS[digits - SMALL_DIGITS] as number) + low
  if (mantissa > Number.MAX_SAFE_INTEGER) return readUncommonField(bytes, start, row, field)
  row[field] = dotAt < 0 ? mantissa : mantissa / (EXACT_POWERS[at - dotAt - 1] as number)
  return at
}

/** Parses signs, exponents, and more digits than a double holds; NaN for other text. */
function readUncommonField(bytes: Uint8Array, start: number, row: Float64Array, field: number): number {
  const end = endOfField(bytes, start)
  row[field] = decimalIn(Buffer.from(bytes.subarray(start, end)).toString())
  return end
}

/** The number of a text; NaN if it is not a finite decimal number. */
export function decimalIn(text: string): number {
  const value = DECIMAL_TEXT.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : Number.NaN
}

/** End of the field that starts at `start`. */
export function endOfField(bytes: Uint8Array, start: number): number {
  let end = start
  while (!isFieldEnd(bytes, end)) end++
  return end
}

function isFieldEnd(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at]
  return byte === COMMA || byte === CLOSING_BRACKET || byte === undefined
}
