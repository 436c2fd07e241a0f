import { UsageError } from '../../../domain/sluice-error.ts'

/** Longest row, bytes: a text without row ends would otherwise fill the memory. */
export const MOST_ROW_BYTES = 64 * 1024

/** Parses rows from a text that arrives in pieces. */
export interface RowScanner {
  /** Parses the next piece, which it does not keep; throws `UsageError` for a row that is too long. */
  push(piece: Uint8Array): void | Promise<void>
  /** Parses the rest; throws `UsageError` if the text ends too early. */
  end(): void | Promise<void>
  /** Place of a row (0 is the first): "Line 3". */
  placeOf(row: number): string
}

/** Error for a row that is longer than any row may be. */
export function tooLongRow(place: string, source: string): UsageError {
  return new UsageError(
    `${place} of ${source} is longer than ${MOST_ROW_BYTES} bytes; expected a text of short rows.`,
  )
}
