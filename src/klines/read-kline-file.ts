import { createHash } from 'node:crypto'
import type { KlineColumns } from './kline-columns.ts'
import { parseKlineCsv } from './parse-kline-csv.ts'
import { readBytes, unzip } from './read-bytes.ts'

/** The klines of a file, and what identifies the file. */
export interface KlineFile {
  readonly columns: KlineColumns
  /** SHA-256 of the file as it lies on the disk (compressed, if it is), hexadecimal. */
  readonly sha256: string
}

/** Reads klines from a CSV file, plain or gzip; throws `UsageError` for a file that is missing, damaged or invalid. */
export function readKlineFile(path: string): KlineFile {
  const stored = readBytes(path, 'kline file')
  const sha256 = createHash('sha256').update(stored).digest('hex')
  return { columns: parseKlineCsv(unzip(stored, path, 'kline file'), path), sha256 }
}
