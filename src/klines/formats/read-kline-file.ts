import type { KlineColumns } from '../kline-columns.ts'
import { sha256Of } from './data-file.ts'
import { readKlineTable } from './read-kline-table.ts'
import { requireSound } from './require-sound.ts'

/** Klines of a file, with its checksum. */
export interface KlineFile {
  /** Valid klines, ascending; at least one. */
  readonly columns: KlineColumns
  /** SHA-256 of the file's bytes (compressed, if it is), hexadecimal. */
  readonly sha256: string
}

/**
 * Reads klines from a file of any format; rejects with `UsageError` for a missing, damaged or invalid file,
 * naming the row.
 */
export async function readKlineFile(path: string): Promise<KlineFile> {
  const columns = requireSound(await readKlineTable(path), path)
  return { columns, sha256: await sha256Of(path) }
}
