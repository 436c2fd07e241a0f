import { CsvError, Parser } from 'csv-parse'
import { UsageError } from '../../../domain/sluice-error.ts'
import type { GrowingColumns } from '../growing-columns.ts'
import { isHeader, type RowLayout } from '../layouts/row-layout.ts'
import { CSV_OPTIONS } from './csv-options.ts'
import { RowFields } from './row-fields.ts'
import { MOST_ROW_BYTES, type RowScanner, tooLongRow } from './row-scanner.ts'
import { SkippedPlaces } from './skipped-places.ts'
import type { OnUnreadableRow } from './unreadable-row.ts'

const LINE_BREAK = /\r\n|\r|\n/

/** Parses rows of CSV into columns; blank lines and a header are skipped. */
export class CsvRows implements RowScanner {
  readonly #layout: RowLayout
  readonly #source: string
  readonly #columns: GrowingColumns
  readonly #onUnreadable: OnUnreadableRow
  readonly #fields: RowFields
  readonly #skipped = new SkippedPlaces()
  readonly #parser: Parser
  #pushedBytes = 0
  /** End of the last record, bytes from the start of the text. */
  #recordEnd = 0
  /** Lines so far. */
  #line = 0
  /** Lines so far as the parser counts them: CRLF inside quotes is two there. */
  #parserLine = 0

  /** `source` names the file in messages. */
  constructor(layout: RowLayout, source: string, columns: GrowingColumns, onUnreadable: OnUnreadableRow) {
    this.#layout = layout
    this.#source = source
    this.#columns = columns
    this.#onUnreadable = onUnreadable
    this.#fields = new RowFields(layout)
    this.#parser = new Parser({
      ...CSV_OPTIONS,
      on_record: (texts: string[], { bytes, lines }) => {
        this.#recordEnd = bytes
        this.#take(texts, lines - this.#parserLine === 1 ? 1 : linesOf(texts))
        this.#parserLine = lines
        return undefined
      },
    })
    // Every call gets its error by itself.
    this.#parser.on('error', () => {})
  }

  async push(piece: Uint8Array): Promise<void> {
    this.#pushedBytes += piece.length
    // A copy: a stream may keep what it is given.
    await this.#settled(done => this.#parser.write(Buffer.from(piece), done))
    // The parser's own limit does not count commas.
    if (this.#pushedBytes - this.#recordEnd <= MOST_ROW_BYTES) return
    throw this.#parser.info.lines > this.#parserLine + 1
      ? this.#openQuote()
      : tooLongRow(this.#nextPlace, this.#source)
  }

  async end(): Promise<void> {
    await this.#settled(done => this.#parser.end(done))
  }

  placeOf(row: number): string {
    return `Line ${this.#skipped.placeOf(row)}`
  }

  get #nextPlace(): string {
    return `Line ${this.#line + 1}`
  }

  /** Waits for a call of the parser; rejects with the error of the first bad row. */
  #settled(call: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      call(error => {
        if (error) reject(error instanceof CsvError ? this.#openQuote(error) : error)
        else resolve()
      })
    })
  }

  /** Adds the row of a record that takes some lines of the text. */
  #take(texts: readonly string[], lines: number): void {
    const place = this.#nextPlace
    const isFirst = this.#line === 0
    const isRow = this.#fields.readTexts(texts)
    if (isRow) this.#columns.append(this.#fields.values)
    for (let line = isRow ? 2 : 1; line <= lines; line++) this.#skipped.add(this.#line + line)
    this.#line += lines
    if (isRow) return
    this.#skipped.requireFew(this.#source, this.#columns.length)
    if (isBlank(texts) || (isFirst && isHeader(texts, this.#layout))) return
    this.#onUnreadable({ place, problem: this.#fields.problemOf(texts) })
  }

  #openQuote(cause?: CsvError): UsageError {
    return new UsageError(
      `${this.#nextPlace} of ${this.#source} opens a quote that is not closed; close the quote or remove it.`,
      cause,
    )
  }
}

function isBlank(texts: readonly string[]): boolean {
  return texts.length === 1 && texts[0] === ''
}

/** Lines that a record takes: a field in quotes may have line breaks. */
function linesOf(texts: readonly string[]): number {
  return texts.reduce((lines, text) => lines + text.split(LINE_BREAK).length - 1, 1)
}
