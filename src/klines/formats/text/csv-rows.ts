import type { GrowingColumns } from '../growing-columns.ts'
import { isHeader, type RowLayout } from '../layouts/row-layout.ts'
import { RowFields } from './row-fields.ts'
import type { RowScanner } from './row-scanner.ts'
import { SkippedPlaces } from './skipped-places.ts'
import type { OnUnreadableRow } from './unreadable-row.ts'

const NEWLINE = 10
const RETURN = 13

/** Parses rows of CSV into columns; blank lines and a header are skipped. */
export class CsvRows implements RowScanner {
  readonly delimiter = NEWLINE
  readonly #layout: RowLayout
  readonly #source: string
  readonly #columns: GrowingColumns
  readonly #onUnreadable: OnUnreadableRow
  readonly #fields: RowFields
  readonly #skipped = new SkippedPlaces()
  #line = 0

  /** `source` names the file in messages. */
  constructor(layout: RowLayout, source: string, columns: GrowingColumns, onUnreadable: OnUnreadableRow) {
    this.#layout = layout
    this.#source = source
    this.#columns = columns
    this.#onUnreadable = onUnreadable
    this.#fields = new RowFields(layout)
  }

  scan(bytes: Uint8Array): void {
    let start = 0
    while (start < bytes.length) {
      this.#line++
      const end = this.#fields.read(bytes, start)
      if (end >= 0 && isLineEnd(bytes, end)) this.#columns.append(this.#fields.values)
      else this.#passOver(bytes, start)
      start = endOfLine(bytes, end < 0 ? start : end) + 1
    }
  }

  get nextPlace(): string {
    return `Line ${this.#line + 1}`
  }

  end(): void {}

  placeOf(row: number): string {
    return `Line ${this.#skipped.placeOf(row)}`
  }

  /** Skips a line that is not a row: blank, a header, or an error. */
  #passOver(bytes: Uint8Array, start: number): void {
    this.#skipped.add(this.#line)
    this.#skipped.requireFew(this.#source, this.#columns.length)
    const line = lineAt(bytes, start)
    const texts = line.split(',')
    if (line === '' || (this.#line === 1 && isHeader(namesIn(line), this.#layout))) return
    this.#onUnreadable({ place: `Line ${this.#line}`, problem: this.#fields.problemOf(texts) })
  }
}

/** Header names in the form of layouts. */
export function namesIn(line: string): readonly string[] {
  return line.toLowerCase().replaceAll('"', '').split(',')
}

/** The line that starts at `start`, without its line end. */
export function lineAt(bytes: Uint8Array, start: number): string {
  return Buffer.from(bytes.subarray(start, endOfLine(bytes, start)))
    .toString()
    .replace(/\r$/, '')
}

function isLineEnd(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at] === RETURN ? bytes[at + 1] : bytes[at]
  return next === NEWLINE || next === undefined
}

function endOfLine(bytes: Uint8Array, start: number): number {
  if (bytes[start] === NEWLINE) return start
  const newline = bytes.indexOf(NEWLINE, start)
  return newline < 0 ? bytes.length : newline
}
