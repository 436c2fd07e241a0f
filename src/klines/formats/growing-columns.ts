import { UsageError } from '../../domain/sluice-error.ts'

const GROWTH = 1.3
/** Factor for an estimated number of rows: later rows may be shorter or longer than the first ones. */
const SPARE = 1.25
const BYTES_PER_VALUE = 8
const MB = 1e6

/** Most bytes for the columns of one file: merging them into a store needs about as much again. */
export function mostColumnBytes(): number {
  return Math.floor(process.availableMemory() / 3)
}

/** Columns of doubles that grow by rows or by blocks. */
export class GrowingColumns {
  readonly #columns: Float64Array[]
  #capacity = 0
  #length = 0
  readonly #source: string
  readonly #mostBytes: number

  /** `source` names the file in messages; its columns take at most `mostBytes`. */
  constructor(width: number, source: string, mostBytes = mostColumnBytes()) {
    this.#source = source
    this.#mostBytes = mostBytes
    this.#columns = Array.from({ length: width }, () => new Float64Array(0))
  }

  /** Rows so far. */
  get length(): number {
    return this.#length
  }

  /** The current columns, as views. */
  get columns(): readonly Float64Array[] {
    return this.#columns.map(column => column.subarray(0, this.#length))
  }

  /**
   * Reserves an estimated total number of rows; throws `UsageError` if even somewhat fewer do not fit into
   * memory.
   */
  reserveAbout(rows: number): void {
    this.#requireRoom(rows / SPARE)
    this.reserve(Math.min(this.#mostRows, Math.ceil(rows * SPARE)))
  }

  /**
   * Reserves a total number of rows; untouched memory costs nothing. Throws `UsageError` if they do not fit
   * into memory.
   */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return
    this.#requireRoom(rows)
    this.#capacity = rows
    // One after the other, so that memory never holds two copies of all columns.
    for (const [index, old] of this.#columns.entries()) {
      const column = new Float64Array(rows)
      column.set(old.subarray(0, this.#length))
      this.#columns[index] = column
    }
  }

  /** Adds a row with one value per column. */
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

  /** Views for the next rows, one per column; `take` adds them once they are written. */
  room(rows: number): readonly Float64Array[] {
    const end = this.#length + rows
    if (end > this.#capacity) this.#grow(end)
    return this.#columns.map(column => column.subarray(this.#length, end))
  }

  /**
   * Adds the rows written into the views, except those for which `isComplete` returns false (called once for
   * each, with its row in the views).
   */
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
    this.reserve(Math.max(rows, Math.min(this.#mostRows, Math.ceil(this.#length * GROWTH) + 1024)))
  }

  get #mostRows(): number {
    return Math.floor(this.#mostBytes / BYTES_PER_VALUE / this.#columns.length)
  }

  #requireRoom(rows: number): void {
    if (rows <= this.#mostRows) return
    const needed = Math.ceil((rows * this.#columns.length * BYTES_PER_VALUE) / MB)
    throw new UsageError(
      `${this.#source} has more rows than fit into memory: ${Math.ceil(rows)} rows take ${needed} MB, but ${Math.floor(this.#mostBytes / MB)} MB may be used; split it into several files.`,
    )
  }
}
