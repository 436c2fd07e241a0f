import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utcText } from '../../domain/market-data/civil-date.ts'
import {
  type ArrivalColumns,
  type BookColumns,
  booksOfTops,
  type RecordedTrades,
  type TopColumns,
} from '../formats/book-columns.ts'
import { readTradeColumns } from '../formats/read-series-file.ts'
import { readTopColumns } from '../formats/read-tick-file.ts'
import type { TimeSpan } from '../slice-klines.ts'
import { filesIn } from '../store/list-series.ts'
import { TRADE_LAYOUT, tableOf } from '../store/table-layout.ts'
import { readRecordedBooks } from './recorded-books.ts'
import { type MarkColumns, readRecordedMarks } from './recorded-marks.ts'
import type { RecordedGap } from './recorded-row.ts'
import { TICK_HEADERS, type TickKind } from './tick-recorder.ts'

/** Ticks that a recorder wrote, of some days. */
export interface RecordedTicks {
  readonly trades: RecordedTrades
  /** With their depth, or their best prices alone; `undefined` if none was recorded. */
  readonly books: BookColumns | undefined
  /** Of a contract; `undefined` if none were recorded. */
  readonly marks: MarkColumns | undefined
  readonly gaps: readonly Omit<RecordedGap, 'localMs'>[]
}

/** Columns of a top-of-book table, in memory order. */
const TOP_NAMES = ['time', 'bid', 'bidQuantity', 'ask', 'askQuantity'] as const
const DAY_MS = 86_400_000

/** True if a folder has recorded trades, or order books of a market without public trades. */
export function hasRecordedTicks(folder: string): boolean {
  return filesIn(folder).some(name => name.endsWith('.trades.csv') || name.endsWith('.depth.csv'))
}

/**
 * Reads the days that touch a span from a folder of recorded ticks, whole. Rejects with `UsageError` for a
 * damaged file, naming the line.
 */
export async function readRecordedTicks(folder: string, span: TimeSpan): Promise<RecordedTicks> {
  const trades = await Promise.all(
    filesOf(folder, 'trades', span).map(path => wholeLines(path, readTradeColumns)),
  )
  const index = filesOf(folder, 'index', span)
  const names = TRADE_LAYOUT.fields.map(([name]) => name)
  return {
    trades: { ...tableOf(TRADE_LAYOUT, together(trades, names)), arrival: arrivalsOf(trades) },
    books: await booksOf(folder, span),
    marks: index.length === 0 ? undefined : readRecordedMarks(index),
    gaps: filesOf(folder, 'gaps', span).flatMap(gapsIn),
  }
}

async function booksOf(folder: string, span: TimeSpan): Promise<BookColumns | undefined> {
  const depth = filesOf(folder, 'depth', span)
  if (depth.length > 0) return readRecordedBooks(depth)
  const tops = await Promise.all(filesOf(folder, 'top', span).map(path => wholeLines(path, readTopColumns)))
  if (tops.length === 0) return undefined
  return booksOfTops({ ...topsOf(together(tops, TOP_NAMES)), arrival: arrivalsOf(tops) })
}

/** The arrivals of several tables; `undefined` unless all have them. */
function arrivalsOf(
  tables: readonly { readonly length: number; readonly arrival?: ArrivalColumns | undefined }[],
): ArrivalColumns | undefined {
  const columns = tables.flatMap(({ length, arrival }) =>
    arrival === undefined ? [] : [{ length, ...arrival }],
  )
  if (columns.length < tables.length || tables.length === 0) return undefined
  const [ms, ns] = together(columns, ['ms', 'ns'])
  return ms && ns && { ms, ns }
}

/** Files of a kind with at least one row. A row lies in the file of the day when it was read: a day more on each side. */
function filesOf(folder: string, kind: TickKind, { from, to }: TimeSpan): readonly string[] {
  const first = from === undefined ? '' : utcText(from - DAY_MS).slice(0, 10)
  const last = to === undefined ? '~' : utcText(to + DAY_MS).slice(0, 10)
  return readdirSync(folder)
    .filter(name => name.endsWith(`.${kind}.csv`) && name.slice(0, 10) >= first && name.slice(0, 10) <= last)
    .toSorted()
    .map(name => join(folder, name))
    .filter(path => statSync(path).size > TICK_HEADERS[kind].length + 1)
}

/** Reads a file without the half line at its end, which a recorder has not finished. */
async function wholeLines<Read>(path: string, read: (path: string) => Promise<Read>): Promise<Read> {
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf(10) + 1
  if (end === bytes.length) return read(path)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-ticks-'))
  try {
    const whole = join(folder, 'whole.csv')
    writeFileSync(whole, bytes.subarray(0, end))
    return await read(whole)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Rows of several tables, one after the other. */
function together<Name extends string>(
  tables: readonly (Readonly<Record<Name, Float64Array>> & { readonly length: number })[],
  names: readonly Name[],
): readonly Float64Array[] {
  const rows = tables.reduce((sum, { length }) => sum + length, 0)
  return names.map(name => {
    const column = new Float64Array(rows)
    let at = 0
    for (const table of tables) {
      column.set(table[name], at)
      at += table.length
    }
    return column
  })
}

function topsOf(columns: readonly Float64Array[]): TopColumns {
  // As many as the names.
  const [time, bid, bidQuantity, ask, askQuantity] = columns as readonly [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  return { length: time.length, time, bid, bidQuantity, ask, askQuantity }
}

function gapsIn(path: string): RecordedTicks['gaps'] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(1, -1)
  return lines.map(line => {
    const [, from, until, ...reason] = line.split(',')
    return { from: Number(from), until: Number(until), reason: reason.join(',').replaceAll('"', '') }
  })
}
