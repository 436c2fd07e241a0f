/** Row numbers sorted by time; rows of equal time keep their order. */
export function rowsByTime(times: Float64Array): Uint32Array {
  const rows = Uint32Array.from({ length: times.length }, (_, row) => row)
  // Every row has a time.
  const timeOf = (row: number) => times[row] as number
  const isAscending = rows.every(row => row === 0 || timeOf(row - 1) <= timeOf(row))
  return isAscending ? rows : rows.sort((left, right) => timeOf(left) - timeOf(right) || left - right)
}
