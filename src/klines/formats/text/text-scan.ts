import type { RowScanner } from './row-scanner.ts'

/** Bytes that certainly hold the first rows, from which the format is detected. */
const START_BYTES = 4096
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** Passes a text that arrives in pieces to the scanner of its format. */
export class TextScan {
  readonly #scannerFor: (start: Uint8Array) => RowScanner
  #scanner: RowScanner | undefined
  /** Start of the text, until its format is known. */
  #start = Buffer.alloc(0)

  /** `scannerFor` gets the start of the text and chooses its parser. */
  constructor(scannerFor: (start: Uint8Array) => RowScanner) {
    this.#scannerFor = scannerFor
  }

  async push(piece: Uint8Array): Promise<void> {
    if (this.#scanner !== undefined) return this.#scanner.push(piece)
    this.#start = Buffer.concat([this.#start, piece])
    if (this.#start.length >= START_BYTES) await this.#begin()
  }

  /** Scans the rest, and returns the finished scanner. */
  async end(): Promise<RowScanner> {
    const scanner = this.#scanner ?? (await this.#begin())
    await scanner.end()
    return scanner
  }

  async #begin(): Promise<RowScanner> {
    const text = withoutMark(this.#start)
    this.#scanner = this.#scannerFor(text)
    await this.#scanner.push(text)
    return this.#scanner
  }
}

function withoutMark(text: Uint8Array): Uint8Array {
  const isMarked = BYTE_ORDER_MARK.every((byte, index) => text[index] === byte)
  return isMarked ? text.subarray(BYTE_ORDER_MARK.length) : text
}
