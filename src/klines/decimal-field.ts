const ZERO = 48
const DOT = 46
const COMMA = 44
const NEWLINE = 10
const RETURN = 13

/** Powers of ten that a double holds exactly. */
const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)
const DECIMAL_TEXT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/**
 * Reads the CSV field that starts at `start` into `row[field]`, NaN for what is no decimal number, and returns where it ends.
 * Digits make a whole mantissa; below 2^53, divided by a power of ten up to 10^22, the quotient of two exact doubles
 * is correctly rounded (W. D. Clinger, "How to Read Floating Point Numbers Accurately", 1990). The rest goes to `Number`.
 */
export function readDecimalField(bytes: Uint8Array, start: number, row: Float64Array, field: number): number {
  let mantissa = 0
  let digits = 0
  let dotAt = -1
  let at = start
  for (; at < bytes.length; at++) {
    const digit = (bytes[at] as number) - ZERO // inside the bounds
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit
      digits++
    } else if (digit === DOT - ZERO && dotAt < 0) dotAt = at
    else break
  }
  const decimals = dotAt < 0 ? 0 : at - dotAt - 1
  if (!isFieldEnd(bytes, at) || digits === 0 || decimals > 22 || mantissa > Number.MAX_SAFE_INTEGER) {
    return readUncommonField(bytes, start, row, field)
  }
  row[field] = mantissa / (EXACT_POWERS[decimals] as number) // at most 22
  return at
}

/** Signs, exponents, more digits than a double holds, and what is no number. */
function readUncommonField(bytes: Uint8Array, start: number, row: Float64Array, field: number): number {
  let end = start
  while (!isFieldEnd(bytes, end)) end++
  const text = Buffer.from(bytes.subarray(start, end)).toString()
  row[field] = DECIMAL_TEXT.test(text) ? Number(text) : Number.NaN
  return end
}

function isFieldEnd(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at]
  return byte === COMMA || byte === NEWLINE || byte === RETURN || byte === undefined
}
