import { unsealedText } from './head-seal.ts'
import { type SeriesName, seriesText } from './series-name.ts'

/** What a file of the store says about itself, beside its columns. */
export interface FileMetadata extends SeriesName {
  /** Where the rows are from, in the order in which they came. */
  readonly sources: readonly string[]
  readonly rows: number
  /** Time of the first and of the last row, ms UTC. */
  readonly first: number
  readonly last: number
  /** Places where at least one kline is absent between two rows; for what has no interval, none. */
  readonly gaps?: number
  /** `gmac:` and the checksum of all columns, one after the other: see `checksumOf`. */
  readonly checksum: string
}

/** Of what is described here; another layout of files gets another number. */
const FORMAT = 'sluice-1'

/** As the JSON text in a file's head, still to be sealed. */
export function metadataText(metadata: FileMetadata): string {
  return unsealedText({ format: FORMAT, ...metadata })
}

/** Reads them back from a head that is as it was written; throws an `Error` in a few words where they are not of `name`. */
export function metadataFrom(content: unknown, name: SeriesName): FileMetadata {
  // The head proves that it is what `metadataText` wrote, or a later version of it.
  const { format, head: _, ...metadata } = content as FileMetadata & { format: string; head: string }
  if (format !== FORMAT) throw new Error(`its format is "${format}", not "${FORMAT}"`)
  if (seriesText(metadata) === seriesText(name)) return metadata
  throw new Error(`it says that it has ${seriesText(metadata)}`)
}
