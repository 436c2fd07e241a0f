import { checksumOf } from './checksum.ts'
import { type FileMetadata, metadataFrom } from './file-metadata.ts'
import { openHead } from './head-seal.ts'
import type { SeriesName } from './series-name.ts'

/** A file of the store: its columns in order, and what it says about itself. */
export interface TableFile {
  readonly columns: readonly Float64Array[]
  readonly metadata: FileMetadata
}

/** What the first bytes of a file tell. */
export interface TableHead {
  readonly metadata: FileMetadata
  /** Where the columns begin in the file, one behind the other, each `metadata.rows` doubles. */
  readonly columnsAt: number
}

/** What a file begins with, padded to 8 bytes, and ends with. */
const SIGNATURE = 'ARROW1'

/** Reads the first bytes of a file; throws an `Error` in a few words for a damaged file, or one of another series. */
export function decodeHead(bytes: Uint8Array, name: SeriesName): TableHead {
  const { content, length } = openHead(bytes)
  return { metadata: metadataFrom(content, name), columnsAt: length }
}

/** Throws an `Error` in a few words where the columns are not those that the file was written with. */
export function checkColumns(columns: readonly Float64Array[], { checksum }: FileMetadata): void {
  if (columnsChecksum(columns) !== checksum) throw new Error('its checksum is wrong')
}

/** Throws an `Error` in a few words where a file ends otherwise. */
export function checkEnd(end: Uint8Array): void {
  if (Buffer.from(end).toString('latin1') !== SIGNATURE) throw new Error('its end is missing')
}

/** The checksum of columns, as a file's metadata have it. */
export function columnsChecksum(columns: readonly Float64Array[]): string {
  return `gmac:${checksumOf(columns)}`
}
