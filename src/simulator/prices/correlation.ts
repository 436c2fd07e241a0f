/** Rounding that a matrix written with a few decimals may carry. */
const TOLERANCE = 1e-9

/**
 * The lower triangle L with L × Lᵀ = `matrix`, by Cholesky's method; its rows turn independent numbers into
 * correlated ones. `undefined` if the matrix is not positive semidefinite, that is, not a valid correlation.
 */
export function lowerTriangleOf(matrix: readonly (readonly number[])[]): readonly number[][] | undefined {
  const rows: number[][] = []
  for (const [i, wanted] of matrix.entries()) {
    const row: number[] = []
    for (const [j, value] of wanted.slice(0, i).entries()) {
      const other = rows[j] ?? []
      const rest = value - dot(row, other, j)
      const diagonal = other[j] ?? 0
      if (diagonal === 0 && Math.abs(rest) > TOLERANCE) return undefined
      row.push(diagonal === 0 ? 0 : rest / diagonal)
    }
    const square = (wanted[i] ?? 0) - dot(row, row, i)
    if (square < -TOLERANCE) return undefined
    row.push(square < TOLERANCE ? 0 : Math.sqrt(square))
    rows.push(row)
  }
  return rows
}

/** Of the first `length` numbers of both. */
function dot(left: readonly number[], right: readonly number[], length: number): number {
  let sum = 0
  for (let index = 0; index < length; index++) sum += (left[index] ?? 0) * (right[index] ?? 0)
  return sum
}
