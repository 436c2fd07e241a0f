import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  type ParquetReadOptions,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { SluiceError, UsageError } from '../../domain/sluice-error.ts'
import { BlockRows } from './block-rows.ts'
import { klineColumnNames } from './column-names.ts'
import type { DataFile } from './data-file.ts'
import { GrowingColumns } from './growing-columns.ts'
import { KLINE_ROWS } from './kline-layouts.ts'
import { type KlineTable, klineColumnsOf } from './kline-table.ts'
import { msOfTime } from './row-layout.ts'
import type { OnUnreadableRow } from './unreadable-row.ts'

const MS_PER_DAY = 86_400_000
/** Moments as ms UTC; whole ms are exact even where the number of ns is not. */
const MOMENTS: NonNullable<ParquetReadOptions['parsers']> = {
  timestampFromMilliseconds: Number,
  timestampFromMicroseconds: micros => Math.round(Number(micros) / 1e3),
  timestampFromNanoseconds: nanos => Math.round(Number(nanos) / 1e6),
  dateFromDays: days => days * MS_PER_DAY,
}

/** One column of a file. */
interface Column {
  readonly buffer: AsyncBuffer
  readonly metadata: FileMetaData
  readonly name: string
}

/**
 * Reads klines from a Parquet file, column by column. Rejects with `UsageError` for a file that is damaged or has other
 * columns.
 */
export async function readParquetKlines(file: DataFile, onUnreadable: OnUnreadableRow): Promise<KlineTable> {
  const columns = new GrowingColumns(KLINE_ROWS.columns.length)
  const rows = new BlockRows(KLINE_ROWS, columns, onUnreadable)
  try {
    const buffer = await asyncBufferFromFile(file.path)
    const metadata = await parquetMetadataAsync(buffer)
    const elements = klineElements(metadata, file.path)
    const count = Number(metadata.num_rows)
    columns.reserve(count)
    const room = rows.room(count)
    for (const [index, element] of elements.entries()) {
      const target = room[index] as Float64Array // one an element
      const read = await readColumn({ buffer, metadata, name: element.name }, target)
      if (read !== count) throw new Error(`Its column ${element.name} has ${read} values, not ${count}.`)
      if (index === 0 && !isMoment(element)) target.set(target.map(msOfTime))
    }
    rows.take(room)
  } catch (cause) {
    if (cause instanceof SluiceError) throw cause
    throw new UsageError(`The ${file.kind} ${file.path} is a damaged Parquet file; fetch it again.`, cause)
  }
  return { columns: klineColumnsOf(columns.columns), placeOf: row => rows.placeOf(row) }
}

function klineElements(metadata: FileMetaData, source: string): readonly SchemaElement[] {
  const elements = parquetSchema(metadata).children.map(({ element }) => element)
  const names = klineColumnNames(
    elements.map(({ name }) => name),
    source,
  )
  return names.map((name, index) => {
    const element = elements.find(candidate => candidate.name === name)
    if (element !== undefined && (index === 0 ? canBeTime(element) : canBeValue(element))) return element
    const expected = index === 0 ? 'a timestamp, a date or a number' : 'a number (DOUBLE)'
    throw new UsageError(
      `The column ${name} of ${source} is of the type ${typeOf(element)}; expected ${expected}.`,
    )
  })
}

/** Writes the values of a column, NaN for those that are missing, and resolves to how many there are. */
async function readColumn({ buffer, metadata, name }: Column, target: Float64Array): Promise<number> {
  let read = 0
  await parquetRead({
    file: buffer,
    metadata,
    columns: [name],
    compressors,
    parsers: MOMENTS,
    onPage({ columnData, rowStart }) {
      for (let row = 0; row < columnData.length; row++) target[rowStart + row] = numberOf(columnData[row])
      read += columnData.length
    },
  })
  return read
}

/** NaN for what is null or infinite. */
function numberOf(value: unknown): number {
  const number = typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : Number.NaN
}

function canBeTime(element: SchemaElement): boolean {
  return isMoment(element) || canBeValue(element)
}

function canBeValue(element: SchemaElement): boolean {
  const meaning = element.logical_type?.type ?? element.converted_type
  const isPlain = meaning === undefined || /^(INTEGER|U?INT_\d+)$/.test(meaning)
  return isPlain && ['DOUBLE', 'FLOAT', 'INT32', 'INT64'].includes(element.type ?? '')
}

/** Whether `MOMENTS` reads it. */
function isMoment({ type, logical_type, converted_type }: SchemaElement): boolean {
  return type === 'INT96' || /^(TIMESTAMP|DATE)/.test(logical_type?.type ?? converted_type ?? '')
}

function typeOf(element: SchemaElement | undefined): string {
  return element?.logical_type?.type ?? element?.converted_type ?? element?.type ?? 'unknown'
}
