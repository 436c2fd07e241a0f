/**
 * Reusable memory for columns: memory of each file would otherwise be freed long after the next one is read.
 */
export class ColumnRoom {
  #columns: readonly Float64Array[] = []

  /** `width` columns of `rows` rows with undefined content; overwrites the columns given before. */
  take(width: number, rows: number): readonly Float64Array[] {
    const [column] = this.#columns
    if (column === undefined || column.length < rows || this.#columns.length < width) {
      // Not `new Float64Array(rows)`, which would first fill with zeros.
      this.#columns = Array.from(
        { length: width },
        () => new Float64Array(Buffer.allocUnsafeSlow(rows * 8).buffer),
      )
    }
    return this.#columns.map(all => all.subarray(0, rows))
  }
}
