/** Computes numbers from one column of numbers, of klines or of another formula. */
export interface ColumnFormula {
  /** Writes the values at the rows `from` to `to - 1` to `values`, from index `at` on; rows come in order, each once. */
  computeColumn(inputs: Float64Array, from: number, to: number, values: Float64Array, at: number): void
}

/**
 * Computes a formula of the values of another one, which are in `values` from `at` on and begin with `NaN`s:
 * it starts with the first number. Writes its values from `target` on.
 */
export function follow(
  formula: ColumnFormula,
  values: Float64Array,
  { at, count, target }: { readonly at: number; readonly count: number; readonly target: number },
): void {
  let skipped = 0
  while (skipped < count && Number.isNaN(values[at + skipped])) skipped++
  values.fill(Number.NaN, target, target + skipped)
  formula.computeColumn(values, at + skipped, at + count, values, target + skipped)
}
