import { UsageError } from '../../../domain/sluice-error.ts'
import type { GrowingColumns } from '../growing-columns.ts'
import { headerOf, type RowLayout } from '../layouts/row-layout.ts'
import { RowFields } from './row-fields.ts'
import { MOST_ROW_BYTES, type RowScanner, tooLongRow } from './row-scanner.ts'
import { SkippedPlaces } from './skipped-places.ts'
import type { OnUnreadableRow } from './unreadable-row.ts'

const SPACE = 32
const COMMA = 44
const OPENING_BRACKET = 91
const CLOSING_BRACKET = 93
const NOTHING = new Uint8Array(0)

/** Parses the rows of a JSON list of lists of numbers into columns, without building the lists. */
export class JsonRows implements RowScanner {
  readonly #layout: RowLayout
  readonly #source: string
  readonly #columns: GrowingColumns
  readonly #onUnreadable: OnUnreadableRow
  readonly #fields: RowFields
  readonly #skipped = new SkippedPlaces()
  #place: 'before' | 'inside' | 'behind' = 'before'
  #entry = 0
  /** Incomplete last entry so far. */
  #rest: Uint8Array = NOTHING

  /** `source` names the file in messages. */
  constructor(layout: RowLayout, source: string, columns: GrowingColumns, onUnreadable: OnUnreadableRow) {
    this.#layout = layout
    this.#source = source
    this.#columns = columns
    this.#onUnreadable = onUnreadable
    this.#fields = new RowFields(layout)
  }

  push(piece: Uint8Array): void {
    const first = piece.indexOf(CLOSING_BRACKET) + 1
    if (first === 0) this.#rest = Buffer.concat([this.#rest, piece])
    else {
      // Only entries across two pieces are copied.
      const start = this.#rest.length > 0 ? first : 0
      const end = piece.lastIndexOf(CLOSING_BRACKET) + 1
      if (start > 0) this.#scan(Buffer.concat([this.#rest, piece.subarray(0, start)]))
      if (end > start) this.#scan(piece.subarray(start, end))
      this.#rest = new Uint8Array(piece.subarray(end))
    }
    if (this.#rest.length > MOST_ROW_BYTES) throw tooLongRow(`Entry ${this.#entry + 1}`, this.#source)
  }

  end(): void {
    this.#scan(this.#rest)
    if (this.#place === 'behind') return
    throw new UsageError(`${this.#source} ends in the middle of its list; fetch it again.`)
  }

  placeOf(row: number): string {
    return `Entry ${this.#skipped.placeOf(row)}`
  }

  /** Parses bytes that end after a bracket, or at the end of the text. */
  #scan(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) at = isBetween(bytes[at]) ? at + 1 : this.#step(bytes, at)
  }

  /** Reads the bracket at `at` and the entry that it opens, and returns its end. */
  #step(bytes: Uint8Array, at: number): number {
    if (this.#place === 'before' && bytes[at] === OPENING_BRACKET) this.#place = 'inside'
    else if (this.#place === 'inside' && bytes[at] === CLOSING_BRACKET) this.#place = 'behind'
    else if (this.#place === 'inside' && bytes[at] === OPENING_BRACKET) return this.#readEntry(bytes, at + 1)
    else {
      throw new UsageError(
        `${this.#source} is no JSON list of lists of numbers, each of them ${headerOf(this.#layout)}.`,
      )
    }
    return at + 1
  }

  #readEntry(bytes: Uint8Array, start: number): number {
    this.#entry++
    const end = bytes.indexOf(CLOSING_BRACKET, start)
    if (end < 0) return bytes.length
    if (this.#fields.readNumbers(bytes, start) === end || this.#readSpaced(bytes.subarray(start, end))) {
      this.#columns.append(this.#fields.values)
    } else this.#passOver(bytes.subarray(start, end))
    return end + 1
  }

  /** Parses an entry with spaces between its values. */
  #readSpaced(entry: Uint8Array): boolean {
    const values = entry.filter(byte => byte > SPACE)
    return this.#fields.readNumbers(values, 0) === values.length
  }

  #passOver(entry: Uint8Array): void {
    this.#skipped.add(this.#entry)
    this.#skipped.requireFew(this.#source, this.#columns.length)
    const texts = Buffer.from(entry)
      .toString()
      .split(',')
      .map(text => text.trim())
    this.#onUnreadable({ place: `Entry ${this.#entry}`, problem: this.#fields.problemOf(texts) })
  }
}

/** True for a byte that only separates entries. */
function isBetween(byte: number | undefined): boolean {
  return byte === COMMA || (byte !== undefined && byte <= SPACE)
}
