/** Knows where a row was found, in a text where some places (lines, entries) are no rows. */
export class SkippedPlaces {
  /** Places that are no rows, ascending; the first place is 1. */
  readonly #skipped: number[] = []

  /** Notes that a place is no row; places come in order. */
  add(place: number): void {
    this.#skipped.push(place)
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
