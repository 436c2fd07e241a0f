import { open } from 'node:fs/promises'
import {
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { SluiceError, UsageError } from '../../../domain/sluice-error.ts'
import type { DataFile } from '../data-file.ts'
import { GrowingColumns } from '../growing-columns.ts'
import { type KlineTable, klineColumnsOf } from '../kline-table.ts'
import { klineColumnNames } from '../layouts/column-names.ts'
import { KLINE_ROWS } from '../layouts/kline-layouts.ts'
import { BlockRows } from '../text/block-rows.ts'
import { FilePieces } from '../text/file-pieces.ts'
import type { OnUnreadableRow } from '../text/unreadable-row.ts'
import {
  isParquetTime,
  isParquetValue,
  MOMENTS,
  setMoments,
  setValues,
  withPlainTimestamps,
} from './parquet-values.ts'

/** One column of a file. */
interface Column {
  readonly pieces: FilePieces
  readonly metadata: FileMetaData
  readonly name: string
}

/**
 * Reads klines from a Parquet file, column by column. Rejects with `UsageError` for a damaged file, or one
 * with other columns.
 */
export async function readParquetKlines(file: DataFile, onUnreadable: OnUnreadableRow): Promise<KlineTable> {
  const columns = new GrowingColumns(KLINE_ROWS.columns.length, file.path)
  const rows = new BlockRows(KLINE_ROWS, columns, onUnreadable)
  try {
    await using handle = await open(file.path)
    const pieces = new FilePieces(handle, file.size)
    const described = await parquetMetadataAsync(pieces)
    const elements = klineElements(described, file.path)
    const metadata = withPlainTimestamps(described)
    const count = Number(metadata.num_rows)
    columns.reserve(count)
    const room = rows.room(count)
    for (const [index, element] of elements.entries()) {
      const target = room[index] as Float64Array // one an element
      const read = await readColumn({ pieces, metadata, name: element.name }, target)
      if (read !== count) throw new Error(`Its column ${element.name} has ${read} values, not ${count}.`)
      if (index === 0) setMoments(target, element)
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
    if (element !== undefined && (index === 0 ? isParquetTime(element) : isParquetValue(element)))
      return element
    const expected = index === 0 ? 'a timestamp, a date or a number' : 'a number (DOUBLE)'
    throw new UsageError(
      `The column ${name} of ${source} is of the type ${typeOf(element)}; expected ${expected}.`,
    )
  })
}

/**
 * Writes the values of a column, NaN for missing ones, and resolves to their number. Reads one row group at a
 * time, because the library keeps all that it reads in memory.
 */
async function readColumn({ pieces, metadata, name }: Column, target: Float64Array): Promise<number> {
  let read = 0
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    await parquetRead({
      file: pieces,
      metadata,
      columns: [name],
      rowStart,
      rowEnd,
      compressors,
      parsers: MOMENTS,
      onPage(page) {
        const { length } = page.columnData
        setValues(target.subarray(page.rowStart, page.rowStart + length), page.columnData)
        read += length
      },
    })
    pieces.giveBack()
    rowStart = rowEnd
  }
  return read
}

function typeOf(element: SchemaElement | undefined): string {
  return element?.logical_type?.type ?? element?.converted_type ?? element?.type ?? 'unknown'
}
