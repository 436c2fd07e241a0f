import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { SluiceError, UsageError } from '../../../domain/sluice-error.ts'
import { type DataFile, readPieces, unreadable } from '../data-file.ts'
import { openZippedText } from './zipped-text.ts'

/** Bytes that a stream hands on at a time: most pieces are then all of their memory, and smaller ones would share it. */
const PIECE_BYTES = 32 * 1024

/** Takes a piece of a text, which it must not keep, and how many bytes the whole text has, as far as that is known. */
type OnPiece = (piece: Uint8Array, textBytes: number) => void

/** Reads the text of a file that may be gzip or ZIP, piece by piece; rejects with `UsageError` where it is damaged. */
export async function readText(file: DataFile, onPiece: OnPiece): Promise<void> {
  const { path, head, size } = file
  const consumer = (textBytes: number) => async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const piece of pieces) {
      onPiece(piece, textBytes)
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
 * Gives back the memory of a piece at once, which the collector of garbage would find so late that as much as the columns
 * take was waiting for it. A piece that is all of its memory shares it with nothing.
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
  // A file's header, or the end of an empty archive.
  return ['PK\x03\x04', 'PK\x05\x06'].includes(head.subarray(0, 4).toString('latin1'))
}

/** A gzip file ends with the size of its content modulo 2^32 (RFC 1952); where that is less than the file, it is of a part. */
function unzippedBytes({ size, tail }: DataFile): number {
  const bytes = tail.length < 4 ? 0 : tail.readUInt32LE()
  return Math.max(bytes, size)
}
