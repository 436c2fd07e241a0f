import { checksumOf } from './checksum.ts'

/**
 * All that comes before the rows of a file is its head. What it says of the file is one JSON text in it, which is found by
 * its first characters: so a head is read without the Arrow library, which takes longer to load than most series take to
 * read, and waits for ages over some damaged heads. The text begins with a checksum of the head, with zeros in its place.
 */
const MARK = '{"head":"gmac:'
const DIGITS = 32
const UNSEALED = '0'.repeat(DIGITS)

/** Bytes that are enough for the head of any file. */
export const HEAD_BYTES = 16_384

/** The signature, which the first message follows. */
const FIRST_MESSAGE_AT = 8

/** The JSON text of a head that is still to be sealed. */
export function unsealedText(content: object): string {
  return JSON.stringify({ head: `gmac:${UNSEALED}`, ...content })
}

/** Writes the checksum to its place: in the head, and in the copy of the metadata at the end of the file, behind the rows. */
export function sealHead(head: Uint8Array, end: Uint8Array): void {
  const digits = checksumOf([head.subarray(0, headLength(bufferOf(head)))])
  for (const part of [bufferOf(head), bufferOf(end)]) {
    for (let at = part.indexOf(MARK); at >= 0; at = part.indexOf(MARK, at + 1))
      part.write(digits, at + MARK.length)
  }
}

/** What a file says of itself, and how long its head is, from its first bytes; throws an `Error` in a few words for a damaged head. */
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
  // A text of Arrow's metadata comes after its length.
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
