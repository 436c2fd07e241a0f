/** Reads rows out of a text that arrives in pieces, each of them of whole rows. */
export interface RowScanner {
  /** The byte that ends a row. */
  readonly delimiter: number
  /** Reads the next piece: it ends behind a delimiter, or at the end of the text. */
  scan(bytes: Uint8Array): void
  /** The place of the row that comes next: "Line 3". */
  readonly nextPlace: string
  /** Refuses a text that ends where it should not. */
  end(): void
  /** Where a row (0 is the first) was found: "Line 3". */
  placeOf(row: number): string
}
