import { checksumOf } from './checksum.ts'
import { type FileMetadata, metadataFrom } from './file-metadata.ts'
import { openHead } from './head-seal.ts'
import type { SeriesName } from './series-name.ts'

/** A file of the store: its columns in order, and its metadata. */
export interface TableFile {
  readonly columns: readonly Float64Array[]
  readonly metadata: FileMetadata
}

/** Content of a file's head. */
export interface TableHead {
  readonly metadata: FileMetadata
  /** Offset of the columns, one after the other, each `metadata.rows` doubles. */
  readonly columnsAt: number
}

/** Start of a file (padded to 8 bytes) and its end. */
const SIGNATURE = 'ARROW1'

/**
 * Parses the head of a file; throws an `Error` with a short reason for a damaged file, or one of another
 * series.
 */
export function decodeHead(bytes: Uint8Array, name: SeriesName): TableHead {
  const { content, length } = openHead(bytes)
  return { metadata: metadataFrom(content, name), columnsAt: length }
}

/** Throws an `Error` with a short reason if the columns do not match their checksum. */
export function checkColumns(columns: readonly Float64Array[], { checksum }: FileMetadata): void {
  if (columnsChecksum(columns) !== checksum) throw new Error('its checksum is wrong')
}

/** Throws an `Error` with a short reason if a file is cut off. */
export function checkEnd(end: Uint8Array): void {
  if (Buffer.from(end).toString('latin1') !== SIGNATURE) throw new Error('its end is missing')
}

/** Checksum of columns, in the form of a file's metadata. */
export function columnsChecksum(columns: readonly Float64Array[]): string {
  return `gmac:${checksumOf(columns)}`
}
