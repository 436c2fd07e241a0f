/** The value that a share of the values does not exceed; `NaN` for none. */
export function quantile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((left, right) => left - right)
  return ascending[Math.ceil(share * ascending.length) - 1] ?? Number.NaN
}
