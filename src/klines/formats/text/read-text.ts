import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { SluiceError, UsageError } from '../../../domain/sluice-error.ts'
import { type DataFile, readPieces, unreadable } from '../data-file.ts'
import { openZippedText } from './zipped-text.ts'

/** Chunk size of the stream, bytes: most chunks then own their memory, smaller ones would share it. */
const PIECE_BYTES = 32 * 1024

/**
 * Receives a piece of a text, which it must not keep, and the size of the whole text in bytes, as far as
 * known.
 */
type OnPiece = (piece: Uint8Array, textBytes: number) => Promise<void>

/**
 * Reads the text of a plain, gzip or ZIP file, piece by piece; rejects with `UsageError` if it is damaged.
 */
export async function readText(file: DataFile, onPiece: OnPiece): Promise<void> {
  const { path, head, size } = file
  const consumer = (textBytes: number) => async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const piece of pieces) {
      await onPiece(piece, textBytes)
      giveBack(piece)
    }
  }
  try {
    if (isGzip(head)) {
      const stored = createReadStream(path, { highWaterMark: PIECE_BYTES })
      await pipeline(stored, createGunzip({ chunkSize: PIECE_BYTES }), consumer(unzippedBytes(file)))
    } else if (isZip(head)) {
      const { stream, bytes } = await openZippedText(path)
      await pipeline(stream, consumer(bytes))
    } else await readPieces(path, piece => onPiece(piece, size))
  } catch (cause) {
    throw problemOf(file, cause)
  }
}

/**
 * Frees the memory of a piece at once; the garbage collector would free it so late that as much memory as the
 * columns take would wait for it. A piece as large as its buffer shares it with nothing.
 */
function giveBack({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}

function problemOf(file: DataFile, cause: unknown): unknown {
  if (cause instanceof SluiceError) return cause
  const packing = isGzip(file.head) ? 'gzip' : isZip(file.head) ? 'ZIP' : undefined
  if (packing === undefined) return unreadable(file, cause)
  return new UsageError(`The ${file.kind} ${file.path} is a damaged ${packing} file; fetch it again.`, cause)
}

function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b
}

function isZip(head: Buffer): boolean {
  // Start of a file header, or the end record of an empty archive.
  return ['PK\x03\x04', 'PK\x05\x06'].includes(head.subarray(0, 4).toString('latin1'))
}

/**
 * A gzip file ends with the size of its content modulo 2^32 (RFC 1952); if that is less than the file, it
 * covers a part only.
 */
function unzippedBytes({ size, tail }: DataFile): number {
  const bytes = tail.length < 4 ? 0 : tail.readUInt32LE()
  return Math.max(bytes, size)
}
