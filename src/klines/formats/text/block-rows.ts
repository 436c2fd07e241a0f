import type { GrowingColumns } from '../growing-columns.ts'
import { expectationOf, type RowLayout } from '../layouts/row-layout.ts'
import { SkippedPlaces } from './skipped-places.ts'
import type { OnUnreadableRow } from './unreadable-row.ts'

/** Adds blocks of rows that a file stores by column, without rows that lack a value. */
export class BlockRows {
  readonly #layout: RowLayout
  readonly #columns: GrowingColumns
  readonly #onUnreadable: OnUnreadableRow
  readonly #skipped = new SkippedPlaces()
  #row = 0

  constructor(layout: RowLayout, columns: GrowingColumns, onUnreadable: OnUnreadableRow) {
    this.#layout = layout
    this.#columns = columns
    this.#onUnreadable = onUnreadable
  }

  /** Views for the next rows, one per column, to be filled before `take`; NaN is a missing value. */
  room(rows: number): readonly Float64Array[] {
    return this.#columns.room(rows)
  }

  /** Adds the rows in the views. */
  take(room: readonly Float64Array[]): void {
    this.#columns.take(room[0]?.length ?? 0, row => {
      this.#row++
      const missing = room.findIndex(column => Number.isNaN(column[row]))
      if (missing >= 0) this.#passOver(missing)
      return missing < 0
    })
  }

  /** Place of a row (0 is the first) in the file. */
  placeOf(row: number): string {
    return `Row ${this.#skipped.placeOf(row)}`
  }

  #passOver(column: number): void {
    this.#skipped.add(this.#row)
    const { fields, columns } = this.#layout
    const field = fields.find(({ column: name }) => name === columns[column])
    const problem =
      field && `has no number as its ${field.label ?? field.name}; expected ${expectationOf(field)}.`
    this.#onUnreadable({ place: `Row ${this.#row}`, problem: problem ?? 'is not complete.' })
  }
}
