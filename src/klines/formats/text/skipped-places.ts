import { UsageError } from '../../../domain/sluice-error.ts'

/** So many places beside the rows may be no rows. */
const MOST_SKIPPED = 100_000

/** Knows where a row was found, in a text where some places (lines, entries) are no rows. */
export class SkippedPlaces {
  /** Places that are no rows, ascending; the first place is 1. */
  readonly #skipped: number[] = []

  /** Notes that a place is no row; places come in order. */
  add(place: number): void {
    this.#skipped.push(place)
  }

  /** Throws `UsageError` where far more places are no rows than are rows: a text that is none would otherwise fill the memory. */
  requireFew(source: string, rows: number): void {
    if (this.#skipped.length <= rows + MOST_SKIPPED) return
    throw new UsageError(
      `${source} has ${rows} rows and more than ${MOST_SKIPPED} lines or entries beyond that which are no rows; give a file of rows.`,
    )
  }

  /** The place of a row (0 is the first). */
  placeOf(row: number): number {
    // As many places are skipped before the row as have at most `row` rows before them.
    let low = 0
    let high = this.#skipped.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const rowsBefore = (this.#skipped[middle] as number) - middle - 1 // middle is inside the bounds
      if (rowsBefore <= row) low = middle + 1
      else high = middle
    }
    return row + 1 + low
  }
}
