/** Adjusts the p-values of several tests for their number; in the order of the tests, at most 1. */
export type AdjustedP = (p: Float64Array) => Float64Array

/** Every p-value × number of tests: C. E. Bonferroni, 1936. Bounds the probability of one false discovery. */
export function adjustedByBonferroni(p: Float64Array): Float64Array {
  return p.map(value => Math.min(1, value * p.length))
}

/**
 * The i-th smallest of m p-values × (m - i + 1), never below a smaller one's: S. Holm, "A Simple Sequentially Rejective
 * Multiple Test Procedure", Scandinavian Journal of Statistics, 1979. Bounds what Bonferroni's bounds, and is never stricter.
 */
export function adjustedByHolm(p: Float64Array): Float64Array {
  const adjusted = new Float64Array(p.length)
  let largest = 0
  ascendingOrder(p).forEach((test, rank) => {
    largest = Math.max(largest, Math.min(1, (p[test] as number) * (p.length - rank)))
    adjusted[test] = largest
  })
  return adjusted
}

/**
 * The i-th smallest of m p-values × m ÷ i × (1 + 1/2 + … + 1/m), never above a larger one's: Y. Benjamini and D. Yekutieli,
 * "The Control of the False Discovery Rate in Multiple Testing under Dependency", Annals of Statistics, 2001. Bounds the
 * expected share of false discoveries, however the tests depend on each other.
 */
export function adjustedByBhy(p: Float64Array): Float64Array {
  const adjusted = new Float64Array(p.length)
  const order = ascendingOrder(p)
  const harmonic = p.reduce((sum, _, index) => sum + 1 / (index + 1), 0)
  let smallest = 1
  for (let rank = p.length; rank > 0; rank--) {
    const test = order[rank - 1] as number
    smallest = Math.min(smallest, ((p[test] as number) * p.length * harmonic) / rank)
    adjusted[test] = smallest
  }
  return adjusted
}

/** Indices of p-values, the smallest first. */
function ascendingOrder(p: Float64Array): Uint32Array {
  return Uint32Array.from(p.keys()).sort((left, right) => (p[left] as number) - (p[right] as number))
}
