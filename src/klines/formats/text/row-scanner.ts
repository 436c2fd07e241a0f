/** Parses rows from a text that arrives in pieces of whole rows. */
export interface RowScanner {
  /** The byte that ends a row. */
  readonly delimiter: number
  /** Parses the next piece: it ends after a delimiter, or at the end of the text. */
  scan(bytes: Uint8Array): void
  /** Place of the next row: "Line 3". */
  readonly nextPlace: string
  /** Throws if the text ends too early. */
  end(): void
  /** Place of a row (0 is the first): "Line 3". */
  placeOf(row: number): string
}
