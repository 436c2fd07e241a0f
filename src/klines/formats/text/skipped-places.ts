import { UsageError } from '../../../domain/sluice-error.ts'

/** Most skipped places beyond the number of rows. */
const MOST_SKIPPED = 100_000

/** Maps rows to places in a text where some places (lines, entries) are not rows. */
export class SkippedPlaces {
  /** Places that are not rows, ascending; the first place is 1. */
  readonly #skipped: number[] = []

  /** Notes a place that is not a row; places come in order. */
  add(place: number): void {
    this.#skipped.push(place)
  }

  /**
   * Throws `UsageError` if far more places are skipped than are rows: a text of another kind would otherwise
   * fill the memory.
   */
  requireFew(source: string, rows: number): void {
    if (this.#skipped.length <= rows + MOST_SKIPPED) return
    throw new UsageError(
      `${source} has ${rows} rows and more than ${MOST_SKIPPED} lines or entries beyond that which are no rows; give a file of rows.`,
    )
  }

  /** Place of a row (0 is the first). */
  placeOf(row: number): number {
    // Counts the skipped places that have at most `row` rows before them: they come before the row.
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
