import type { Decimal } from '../../domain/numbers/decimal.ts'

/** Below 0, 0 or above 0, like `left.comparedTo(right)`, but without the copy that decimal.js makes. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  if (!isPositive(left) || !isPositive(right)) return left.comparedTo(right)
  if (left.e !== right.e) return left.e - right.e
  // With equal exponents, words at the same index have the same weight.
  for (let word = 0; word < left.d.length || word < right.d.length; word++) {
    const difference = (left.d[word] ?? 0) - (right.d[word] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function isPositive({ s, d }: Decimal): boolean {
  return s === 1 && d !== null && d[0] !== 0
}
