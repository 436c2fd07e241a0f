import type { DataFile } from '../data-file.ts'
import { GrowingColumns } from '../growing-columns.ts'
import type { RowLayout } from '../layouts/row-layout.ts'
import { CsvRows } from './csv-rows.ts'
import { JsonRows } from './json-rows.ts'
import { readText } from './read-text.ts'
import { TextScan } from './text-scan.ts'
import type { OnUnreadableRow } from './unreadable-row.ts'

/** Notation of a text's rows: lines of CSV, or a JSON list of lists. */
export interface TextFormat {
  readonly notation: 'csv' | 'json'
  readonly layout: RowLayout
}

export interface TextTableOptions {
  /** Number of columns to read, the same for all formats. */
  readonly width: number
  /** Chooses the format from the start of the text. */
  recognise(start: Uint8Array): TextFormat
  readonly onUnreadable: OnUnreadableRow
}

/** Rows of a text, in columns. */
export interface TextTable {
  readonly columns: readonly Float64Array[]
  /** Place of a row (0 is the first) in the file: "Line 3". */
  placeOf(row: number): string
}

/** Number of rows from which the length of a row is estimated. */
const SAMPLE_ROWS = 1000

/** Reads a text file, plain or in gzip or ZIP; rejects with `UsageError` if it is damaged. */
export async function readTextTable(file: DataFile, options: TextTableOptions): Promise<TextTable> {
  const columns = new GrowingColumns(options.width, file.path)
  const scan = new TextScan(start => {
    const { notation, layout } = options.recognise(start)
    return notation === 'json'
      ? new JsonRows(layout, file.path, columns, options.onUnreadable)
      : new CsvRows(layout, file.path, columns, options.onUnreadable)
  })
  let bytes = 0
  let isSized = false
  await readText(file, async (piece, textBytes) => {
    await scan.push(piece)
    bytes += piece.length
    if (isSized || columns.length < SAMPLE_ROWS) return
    columns.reserveAbout((columns.length / bytes) * textBytes)
    isSized = true
  })
  const scanner = await scan.end()
  return { columns: columns.columns, placeOf: row => scanner.placeOf(row) }
}
