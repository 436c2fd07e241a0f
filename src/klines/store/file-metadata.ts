import { unsealedText } from './head-seal.ts'
import { type SeriesName, seriesText } from './series-name.ts'

/** Metadata of a file of the store. */
export interface FileMetadata extends SeriesName {
  /** Sources of the rows, in the order in which they were stored. */
  readonly sources: readonly string[]
  readonly rows: number
  /** Time of the first and of the last row, ms UTC. */
  readonly first: number
  readonly last: number
  /** Number of gaps in the rows; absent for series without an interval. */
  readonly gaps?: number
  /** `gmac:` and the checksum of all columns: see `checksumOf`. */
  readonly checksum: string
}

/** Version of the file layout; another layout gets another number. */
const FORMAT = 'sluice-1'

/** JSON text of a file's head, not yet sealed. */
export function metadataText(metadata: FileMetadata): string {
  return unsealedText({ format: FORMAT, ...metadata })
}

/** Metadata from an intact head; throws an `Error` with a short reason if they do not belong to `name`. */
export function metadataFrom(content: unknown, name: SeriesName): FileMetadata {
  // The head's checksum proves that `metadataText`, or a later version of it, wrote it.
  const { format, head: _, ...metadata } = content as FileMetadata & { format: string; head: string }
  if (format !== FORMAT) throw new Error(`its format is "${format}", not "${FORMAT}"`)
  if (seriesText(metadata) === seriesText(name)) return metadata
  throw new Error(`it says that it has ${seriesText(metadata)}`)
}
