import { open } from 'node:fs/promises'
import { type Field, type RecordBatch, RecordBatchReader } from 'apache-arrow'
import { SluiceError, UsageError } from '../../../domain/sluice-error.ts'
import type { DataFile } from '../data-file.ts'
import { GrowingColumns, mostColumnBytes } from '../growing-columns.ts'
import { type KlineTable, klineColumnsOf } from '../kline-table.ts'
import { klineColumnNames } from '../layouts/column-names.ts'
import { KLINE_ROWS } from '../layouts/kline-layouts.ts'
import { BlockRows } from '../text/block-rows.ts'
import { FilePieces } from '../text/file-pieces.ts'
import type { OnUnreadableRow } from '../text/unreadable-row.ts'
import { registerArrowCodecs } from './arrow-codecs.ts'
import { isArrowTime, isArrowValue, readTimes, readValues } from './arrow-values.ts'

/**
 * Reads klines from an Arrow IPC file (feather version 2 is the same format) batch by batch, plain or
 * compressed with LZ4 or zstd. Rejects with `UsageError` for a damaged file, or one with other columns.
 */
export async function readArrowKlines(file: DataFile, onUnreadable: OnUnreadableRow): Promise<KlineTable> {
  if (file.tail.toString('latin1') !== 'ROW1') throw damaged(file)
  registerArrowCodecs()
  requireMemoryFor(file)
  const columns = new GrowingColumns(KLINE_ROWS.columns.length, file.path)
  const rows = new BlockRows(KLINE_ROWS, columns, onUnreadable)
  try {
    await using handle = await open(file.path)
    const pieces = new FilePieces(handle, file.size)
    // Read as a whole: on a damaged file the library's way to read in pieces may wait for ever.
    const bytes = await pieces.slice(0)
    const reader = RecordBatchReader.from(new Uint8Array(bytes)).open()
    const names = klineFieldNames(reader.schema.fields, file.path)
    for (const batch of reader) {
      if (!isWhole(batch)) throw damaged(file)
      // All batches but the last have the same number of rows.
      if (columns.length === 0) columns.reserve(batch.numRows * reader.numRecordBatches)
      const room = rows.room(batch.numRows)
      readBatch(batch, names, room)
      rows.take(room)
      giveBack(batch, bytes)
    }
    pieces.giveBack()
  } catch (cause) {
    if (cause instanceof SluiceError) throw cause
    throw damaged(file, cause)
  }
  return { columns: klineColumnsOf(columns.columns), placeOf: row => rows.placeOf(row) }
}

/** The library keeps the whole file in memory. */
function requireMemoryFor({ path, size }: DataFile): void {
  const most = mostColumnBytes()
  if (size <= most) return
  throw new UsageError(
    `${path} has ${size} bytes, but an Arrow file of at most ${most} bytes fits into memory; split it into several files, or use Parquet.`,
  )
}

function damaged({ kind, path }: DataFile, cause?: unknown): UsageError {
  return new UsageError(`The ${kind} ${path} is a damaged Arrow file; fetch it again.`, cause)
}

function klineFieldNames(fields: readonly Field[], source: string): readonly string[] {
  const names = klineColumnNames(
    fields.map(({ name }) => name),
    source,
  )
  for (const [index, name] of names.entries()) {
    const type = fields.find(field => field.name === name)?.type
    if (index === 0 ? isArrowTime(type) : isArrowValue(type)) continue
    const expected = index === 0 ? 'a timestamp, a date or a number' : 'a number'
    throw new UsageError(`The column ${name} of ${source} is of the type ${type}; expected ${expected}.`)
  }
  return names
}

/** True if the batch has as many values as it declares. */
function isWhole({ numRows, data }: RecordBatch): boolean {
  return data.children.every(
    ({ length, values }) => length === numRows && (values?.length ?? numRows) >= numRows,
  )
}

function readBatch(batch: RecordBatch, names: readonly string[], room: readonly Float64Array[]): void {
  for (const [index, target] of room.entries()) {
    const data = batch.getChild(names[index] ?? '')?.data[0]
    if (data === undefined) target.fill(Number.NaN)
    else if (index === 0) readTimes(data, target)
    else readValues(data, target)
  }
}

/** Smaller buffers may be part of Node's shared pool. */
const LEAST_BYTES = 128 * 1024

/**
 * Frees the decompressed memory of a batch at once; the garbage collector would free it only several batches
 * later.
 */
function giveBack({ data }: RecordBatch, file: ArrayBuffer): void {
  for (const { values } of data.children) {
    const memory: unknown = values?.buffer
    if (memory instanceof ArrayBuffer && memory !== file && memory.byteLength >= LEAST_BYTES)
      memory.transfer(0)
  }
}
