/** Memory for columns that is used again and again: what a file needs would otherwise come back long after the next one is read. */
export class ColumnRoom {
  #columns: readonly Float64Array[] = []

  /** So many columns of so many rows, with whatever is in them; what was given before is overwritten. */
  take(width: number, rows: number): readonly Float64Array[] {
    const [column] = this.#columns
    if (column === undefined || column.length < rows || this.#columns.length < width) {
      // Not `new Float64Array(rows)`, which would fill with zeros what is about to be written anyway.
      this.#columns = Array.from(
        { length: width },
        () => new Float64Array(Buffer.allocUnsafeSlow(rows * 8).buffer),
      )
    }
    return this.#columns.map(all => all.subarray(0, rows))
  }
}
