const GROWTH = 1.3

/** Columns of doubles that grow row by row, or block by block. */
export class GrowingColumns {
  readonly #columns: Float64Array[]
  #capacity = 0
  #length = 0

  constructor(width: number) {
    this.#columns = Array.from({ length: width }, () => new Float64Array(0))
  }

  /** Rows so far. */
  get length(): number {
    return this.#length
  }

  /** The columns as they are now: views. */
  get columns(): readonly Float64Array[] {
    return this.#columns.map(column => column.subarray(0, this.#length))
  }

  /** Makes room for so many rows in all; untouched room costs addresses, not memory. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return
    this.#capacity = rows
    // One after the other, so that no two copies of everything are in memory.
    for (const [index, old] of this.#columns.entries()) {
      const column = new Float64Array(rows)
      column.set(old.subarray(0, this.#length))
      this.#columns[index] = column
    }
  }

  /** Adds a row, of as many values as there are columns. */
  append(row: Float64Array): void {
    const index = this.#length
    if (index === this.#capacity) this.#grow(index + 1)
    const columns = this.#columns
    for (let column = 0; column < columns.length; column++) {
      const values = columns[column] as Float64Array // the loop stays inside
      values[index] = row[column] as number // so does the row
    }
    this.#length = index + 1
  }

  /** Room for the next rows, one view a column; `take` adds them once they are written. */
  room(rows: number): readonly Float64Array[] {
    const end = this.#length + rows
    if (end > this.#capacity) this.#grow(end)
    return this.#columns.map(column => column.subarray(this.#length, end))
  }

  /** Adds the rows written into the room, without those that `isComplete` (called once for each, by its row in the room) leaves out. */
  take(rows: number, isComplete: (row: number) => boolean): void {
    const start = this.#length
    for (let row = 0; row < rows; row++) {
      if (!isComplete(row)) continue
      if (this.#length !== start + row) this.#move(start + row, this.#length)
      this.#length++
    }
  }

  #move(from: number, to: number): void {
    for (const column of this.#columns) column[to] = column[from] as number // inside the room
  }

  #grow(rows: number): void {
    this.reserve(Math.max(rows, Math.ceil(this.#length * GROWTH) + 1024))
  }
}
