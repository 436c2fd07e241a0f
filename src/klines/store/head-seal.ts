import { checksumOf } from './checksum.ts'

/**
 * The head of a file is everything before its rows. Its metadata are one JSON text, found by its first
 * characters: so a head is read without the Arrow library, which takes longer to load than most series take
 * to read, and hangs on some damaged heads. The text begins with a checksum of the head, computed with zeros
 * in its place.
 */
const MARK = '{"head":"gmac:'
const DIGITS = 32
const UNSEALED = '0'.repeat(DIGITS)

/** Largest size of a head, bytes. */
export const HEAD_BYTES = 16_384

/** Offset of the first message, after the signature. */
const FIRST_MESSAGE_AT = 8

/** JSON text of a head, not yet sealed. */
export function unsealedText(content: object): string {
  return JSON.stringify({ head: `gmac:${UNSEALED}`, ...content })
}

/** Writes the checksum into the head, and into the copy of the metadata after the rows. */
export function sealHead(head: Uint8Array, end: Uint8Array): void {
  const digits = checksumOf([head.subarray(0, headLength(bufferOf(head)))])
  for (const part of [bufferOf(head), bufferOf(end)]) {
    for (let at = part.indexOf(MARK); at >= 0; at = part.indexOf(MARK, at + 1))
      part.write(digits, at + MARK.length)
  }
}

/**
 * Metadata and length of a head, from the first bytes of a file; throws an `Error` with a short reason for a
 * damaged head.
 */
export function openHead(bytes: Uint8Array): { readonly content: unknown; readonly length: number } {
  const length = headLength(bufferOf(bytes))
  const head = Buffer.from(bytes.subarray(0, length))
  const textAt = head.indexOf(MARK)
  const digitsAt = textAt + MARK.length
  const digits = head.toString('latin1', digitsAt, digitsAt + DIGITS)
  head.write(UNSEALED, digitsAt)
  if (textAt < FIRST_MESSAGE_AT || checksumOf([head]) !== digits) {
    throw new Error('its beginning is damaged, or another program has written it')
  }
  // In Arrow's metadata, a text follows its length.
  const textLength = head.readInt32LE(textAt - 4)
  return { content: JSON.parse(head.toString('utf8', textAt, textAt + textLength)), length }
}

/** Two messages come before the rows, each after eight bytes of which the last four are its length. */
function headLength(bytes: Buffer): number {
  let at = FIRST_MESSAGE_AT
  for (let message = 0; message < 2; message++) {
    const length = at + 8 <= bytes.length ? bytes.readInt32LE(at + 4) : -1
    if (length < 0 || at + 8 + length > Math.min(bytes.length, HEAD_BYTES)) {
      throw new Error('its beginning is damaged')
    }
    at += 8 + length
  }
  return at
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
