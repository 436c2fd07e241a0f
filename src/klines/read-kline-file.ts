import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { UsageError } from '../domain/sluice-error.ts'
import type { KlineColumns } from './kline-columns.ts'
import { parseKlineCsv } from './parse-kline-csv.ts'

/** The klines of a file, and what identifies the file. */
export interface KlineFile {
  readonly columns: KlineColumns
  /** SHA-256 of the file as it lies on the disk (compressed, if it is), hexadecimal. */
  readonly sha256: string
}

/** Reads klines from a CSV file, plain or gzip; throws `UsageError` for a file that is missing, damaged or invalid. */
export function readKlineFile(path: string): KlineFile {
  const stored = readBytes(path)
  const sha256 = createHash('sha256').update(stored).digest('hex')
  return { columns: parseKlineCsv(unzip(stored, path), path), sha256 }
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    const why = missing ? 'does not exist' : 'cannot be read'
    throw new UsageError(`The kline file ${path} ${why}; give the path of a .csv or .csv.gz file.`, cause)
  }
}

function unzip(bytes: Buffer, path: string): Buffer {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!isGzip) return bytes
  try {
    return gunzipSync(bytes)
  } catch (cause) {
    throw new UsageError(`The kline file ${path} is a damaged gzip file; fetch it again.`, cause)
  }
}
