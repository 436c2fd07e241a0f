import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { FileMetadata } from './file-metadata.ts'
import { type FilePeriod, fileNameAt } from './file-period.ts'
import { HEAD_BYTES } from './head-seal.ts'
import type { SeriesName } from './series-name.ts'
import { checkColumns, checkEnd, decodeHead, type TableFile, type TableHead } from './table-file.ts'

/** A file of the store, and its expected content. */
export interface StoredFile {
  readonly path: string
  readonly name: SeriesName
  readonly period: FilePeriod
  /** Number of columns. */
  readonly width: number
}

/**
 * Reads a file at once; its columns are views of its bytes. Throws `UsageError` for a damaged file, or one
 * with other content.
 */
export function readStoredFile(stored: StoredFile): TableFile {
  return opened(stored, (file, size) => {
    const bytes = readAt(file, new Uint8Array(size), 0)
    const { metadata, columnsAt } = headOf(bytes, bytes, stored)
    const columns = Array.from(
      { length: stored.width },
      (_, index) => new Float64Array(bytes.buffer, columnsAt + index * metadata.rows * 8, metadata.rows),
    )
    checkColumns(columns, metadata)
    return { columns, metadata }
  })
}

/** Upper bound of a file's rows, by its size. */
export function mostRowsIn({ path, width }: StoredFile): number {
  return Math.ceil(statSync(path).size / (8 * width))
}

/**
 * Reads a file's columns from the disk directly into `target`, from `row` on; returns its metadata, or
 * `undefined` if they do not fit. Throws like `readStoredFile`.
 */
export function readStoredColumns(
  stored: StoredFile,
  target: readonly Float64Array[],
  row: number,
): FileMetadata | undefined {
  return opened(stored, (file, size) => {
    const { metadata, columnsAt } = readHead(file, size, stored)
    if (columnsAt + target.length * metadata.rows * 8 > size) throw new Error('some of its rows are missing')
    const columns = target.map(column => column.subarray(row, row + metadata.rows))
    if (columns.some(({ length }) => length < metadata.rows)) return undefined
    for (const [index, { buffer, byteOffset, byteLength }] of columns.entries()) {
      readAt(file, new Uint8Array(buffer, byteOffset, byteLength), columnsAt + index * byteLength)
    }
    checkColumns(columns, metadata)
    return metadata
  })
}

/** Reads the metadata of a file without its rows. Throws like `readStoredFile`. */
export function readStoredMetadata(stored: StoredFile): FileMetadata {
  return opened(stored, (file, size) => readHead(file, size, stored).metadata)
}

function readHead(file: number, size: number, stored: StoredFile): TableHead {
  const head = readAt(file, new Uint8Array(Math.min(size, HEAD_BYTES)), 0)
  return headOf(head, readAt(file, new Uint8Array(Math.min(size, 6)), Math.max(0, size - 6)), stored)
}

function headOf(head: Uint8Array, end: Uint8Array, { path, name, period }: StoredFile): TableHead {
  checkEnd(end.subarray(-6))
  const decoded = decodeHead(head, name)
  const { first } = decoded.metadata
  if (fileNameAt(first, period) !== basename(path)) throw new Error(`it has rows of ${utcText(first)}`)
  return decoded
}

function opened<Read>({ path }: StoredFile, read: (file: number, size: number) => Read): Read {
  const file = openSync(path, 'r')
  try {
    return read(file, fstatSync(file).size)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(
      `The file ${path} of the kline store cannot be used: ${reason}. Remove it, and download or import what it had again.`,
      cause,
    )
  } finally {
    closeSync(file)
  }
}

/** Fills `bytes` from the file, starting at offset `from`. */
function readAt<Bytes extends Uint8Array>(file: number, bytes: Bytes, from: number): Bytes {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(file, bytes, at, bytes.length - at, from + at)
    if (read === 0) throw new Error('its end is missing')
    at += read
  }
  return bytes
}
