import { UsageError } from '../domain/sluice-error.ts'
import { readDecimalField } from './decimal-field.ts'
import type { KlineColumns } from './kline-columns.ts'
import { isSoundRow, KLINE_FIELDS, openTimeOfIdx, rowProblem } from './kline-row.ts'
import { sliceRows } from './slice-klines.ts'

const NEWLINE = 10
const RETURN = 13
const COMMA = 44
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/**
 * Reads CSV klines, `idx,open,high,low,close,vol` with or without that header, ascending: idx is the open time in ms UTC
 * (or in seconds, if below 10^11). Throws `UsageError` naming `source` (what the user calls the file) and the line of the
 * first problem.
 */
export function parseKlineCsv(bytes: Uint8Array, source: string): KlineColumns {
  const columns = emptyColumns(countLines(bytes))
  const row = new Float64Array(KLINE_FIELDS.length)
  let length = 0
  let previous = Number.NEGATIVE_INFINITY
  let start = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0
  for (let line = 1; start < bytes.length; line++) {
    const end = readRow(bytes, start, row)
    if (end >= 0 && isSoundRow(row, previous)) {
      store(columns, length++, row)
      previous = row[0] as number // a row has six numbers
    } else if (!isPassable(lineAt(bytes, start), line)) {
      throw new UsageError(
        `Line ${line} of ${source} ${rowProblem(lineAt(bytes, start).split(','), row, previous)}`,
      )
    }
    start = endOfLine(bytes, end < 0 ? start : end) + 1
  }
  if (length === 0) {
    throw new UsageError(`${source} has no klines; expected rows of ${KLINE_FIELDS.join(',')}, oldest first.`)
  }
  return sliceRows(columns, 0, length)
}

/** Reads the fields of one line into `row`, and returns where the last one ends; -1 if the line has more or fewer fields. */
function readRow(bytes: Uint8Array, start: number, row: Float64Array): number {
  let at = start - 1
  for (let field = 0; field < row.length; field++) {
    at = readDecimalField(bytes, at + 1, row, field)
    const isLast = field === row.length - 1
    if ((bytes[at] === COMMA) === isLast) return -1
  }
  if (bytes[at] === RETURN && bytes[at + 1] !== NEWLINE && at + 1 < bytes.length) return -1
  row[0] = openTimeOfIdx(row[0] as number) // a row has six numbers
  return at
}

function store(columns: KlineColumns, index: number, row: Float64Array): void {
  // A row has six numbers.
  columns.openTime[index] = row[0] as number
  columns.open[index] = row[1] as number
  columns.high[index] = row[2] as number
  columns.low[index] = row[3] as number
  columns.close[index] = row[4] as number
  columns.volume[index] = row[5] as number
}

/** A line that is no kline and no mistake: blank, or a header. What the header calls the time and the volume does not matter. */
function isPassable(line: string, number: number): boolean {
  if (line === '') return true
  const names = line.toLowerCase().replaceAll('"', '').split(',')
  return (
    number === 1 &&
    names.length === KLINE_FIELDS.length &&
    `${names.slice(1, 5)}` === `${KLINE_FIELDS.slice(1, 5)}`
  )
}

function lineAt(bytes: Uint8Array, start: number): string {
  return Buffer.from(bytes.subarray(start, endOfLine(bytes, start)))
    .toString()
    .replace(/\r$/, '')
}

function endOfLine(bytes: Uint8Array, start: number): number {
  if (bytes[start] === NEWLINE) return start
  const newline = bytes.indexOf(NEWLINE, start)
  return newline < 0 ? bytes.length : newline
}

function countLines(bytes: Uint8Array): number {
  let lines = 1
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++
  return lines
}

function emptyColumns(length: number): KlineColumns {
  const column = (): Float64Array => new Float64Array(length)
  return {
    length,
    openTime: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  }
}
