import { UsageError } from '../../../domain/sluice-error.ts'
import type { RowScanner } from './row-scanner.ts'

/** So many bytes certainly hold the first rows, which tell what a text is. */
const START_BYTES = 4096
/** No row is longer: a text without ends of rows would otherwise fill the memory. */
const MOST_ROW_BYTES = 64 * 1024
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const NOTHING = new Uint8Array(0)

/** Hands a text that arrives in pieces to a scanner, cut behind whole rows. */
export class TextScan {
  readonly #scannerFor: (start: Uint8Array) => RowScanner
  readonly #source: string
  #scanner: RowScanner | undefined
  /** The start of a row (or of the text) whose rest has not arrived. */
  #rest: Uint8Array = NOTHING

  /** `scannerFor` sees the start of the text, and chooses what reads it; `source` is what the user calls the file. */
  constructor(source: string, scannerFor: (start: Uint8Array) => RowScanner) {
    this.#source = source
    this.#scannerFor = scannerFor
  }

  push(piece: Uint8Array): void {
    if (this.#scanner !== undefined) this.#scan(this.#scanner, piece)
    else {
      this.#rest = Buffer.concat([this.#rest, piece])
      if (this.#rest.length >= START_BYTES) this.#begin()
    }
  }

  /** Scans what is left, and returns the scanner, which has seen everything then. */
  end(): RowScanner {
    const scanner = this.#scanner ?? this.#begin()
    if (this.#rest.length > 0) scanner.scan(this.#rest)
    scanner.end()
    return scanner
  }

  #begin(): RowScanner {
    const text = withoutMark(this.#rest)
    this.#rest = NOTHING
    const scanner = this.#scannerFor(text)
    this.#scanner = scanner
    this.#scan(scanner, text)
    return scanner
  }

  #scan(scanner: RowScanner, piece: Uint8Array): void {
    const first = piece.indexOf(scanner.delimiter) + 1
    if (first === 0) {
      this.#rest = Buffer.concat([this.#rest, piece])
      if (this.#rest.length > MOST_ROW_BYTES) throw this.#tooLong(scanner)
      return
    }
    // Only rows that are cut are copied.
    const start = this.#rest.length > 0 ? first : 0
    const end = piece.lastIndexOf(scanner.delimiter) + 1
    if (start > 0) scanner.scan(Buffer.concat([this.#rest, piece.subarray(0, start)]))
    if (end > start) scanner.scan(piece.subarray(start, end))
    this.#rest = new Uint8Array(piece.subarray(end))
    if (this.#rest.length > MOST_ROW_BYTES) throw this.#tooLong(scanner)
  }

  #tooLong({ nextPlace }: RowScanner): UsageError {
    return new UsageError(
      `${nextPlace} of ${this.#source} is longer than ${MOST_ROW_BYTES} bytes; expected a text of short rows.`,
    )
  }
}

function withoutMark(text: Uint8Array): Uint8Array {
  const isMarked = BYTE_ORDER_MARK.every((byte, index) => text[index] === byte)
  return isMarked ? text.subarray(BYTE_ORDER_MARK.length) : text
}
