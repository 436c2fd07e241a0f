import { UsageError } from '../../../domain/sluice-error.ts'
import type { RowScanner } from './row-scanner.ts'

/** Bytes that certainly hold the first rows, from which the format is detected. */
const START_BYTES = 4096
/** Longest row, bytes: a text without row ends would otherwise fill the memory. */
const MOST_ROW_BYTES = 64 * 1024
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const NOTHING = new Uint8Array(0)

/** Passes a text that arrives in pieces to a scanner, cut after whole rows. */
export class TextScan {
  readonly #scannerFor: (start: Uint8Array) => RowScanner
  readonly #source: string
  #scanner: RowScanner | undefined
  /** Incomplete last row (or start of the text) so far. */
  #rest: Uint8Array = NOTHING

  /** `scannerFor` gets the start of the text and chooses its parser; `source` names the file in messages. */
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

  /** Scans the rest, and returns the finished scanner. */
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
    // Only rows across two pieces are copied.
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
