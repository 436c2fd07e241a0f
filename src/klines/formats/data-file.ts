import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { UsageError } from '../../domain/sluice-error.ts'

/** Bytes read from the disk at a time. */
const PIECE_BYTES = 256 * 1024

/** A data file, with the bytes that identify its format. */
export interface DataFile {
  readonly path: string
  /** Kind in messages, such as "kline file". */
  readonly kind: string
  readonly size: number
  /** The first 8 bytes. */
  readonly head: Buffer
  /** The last 4 bytes. */
  readonly tail: Buffer
}

/**
 * Reads size, head and tail of a file; rejects with `UsageError`, which names its `kind`, if it is missing or
 * not a file.
 */
export async function openDataFile(path: string, kind: string): Promise<DataFile> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    const [head, tail] = [await bytesAt(file, 0, 8), await bytesAt(file, Math.max(0, size - 4), 4)]
    return { path, kind, size, head, tail }
  } catch (cause) {
    throw unreadable({ path, kind }, cause)
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Reads a file piece by piece, each into the same buffer. */
export async function readPieces(path: string, onPiece: (piece: Uint8Array) => unknown): Promise<void> {
  await using file = await open(path)
  const buffer = Buffer.alloc(PIECE_BYTES)
  for (let bytes = -1; bytes !== 0; ) {
    bytes = (await file.read(buffer)).bytesRead
    if (bytes > 0) await onPiece(buffer.subarray(0, bytes))
  }
}

/** SHA-256 of the file's bytes, hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await readPieces(path, piece => hash.update(piece))
  return hash.digest('hex')
}

/** Error for a file that cannot be read. */
export function unreadable({ path, kind }: Pick<DataFile, 'path' | 'kind'>, cause: unknown): UsageError {
  const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
  const why = missing ? 'does not exist' : 'cannot be read'
  return new UsageError(`The ${kind} ${path} ${why}; give the path of a file that can be read.`, cause)
}
