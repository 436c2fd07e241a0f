import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { UsageError } from '../domain/sluice-error.ts'

/** A file as it lies on the disk; throws `UsageError`, which calls it by `kind` ("kline file"), where it is missing. */
export function readBytes(path: string, kind: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    const why = missing ? 'does not exist' : 'cannot be read'
    throw new UsageError(`The ${kind} ${path} ${why}; give the path of a .csv or .csv.gz file.`, cause)
  }
}

/** The content of a file that may be gzip; throws `UsageError` where that is damaged. */
export function unzip(bytes: Buffer, path: string, kind: string): Buffer {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!isGzip) return bytes
  try {
    return gunzipSync(bytes)
  } catch (cause) {
    throw new UsageError(`The ${kind} ${path} is a damaged gzip file; fetch it again.`, cause)
  }
}
