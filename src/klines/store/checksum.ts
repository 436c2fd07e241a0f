import { createCipheriv } from 'node:crypto'

const ALGORITHM = 'aes-128-gcm'
const KEY = new Uint8Array(16)
const NONCE = new Uint8Array(12)

/**
 * A checksum of bytes, one part after the other, as 32 hexadecimal digits: the tag of AES-128-GCM (NIST SP 800-38D) with a
 * key and a nonce of zeros over no text and, as the additional data, these bytes. With a key that everyone knows it proves
 * nothing about who wrote a file; it finds damage, as surely as a hash of 128 bits and about as fast as memory is read,
 * where a CRC-32 takes longer than reading the file does. In Python, with the package cryptography:
 * `AESGCM(bytes(16)).encrypt(bytes(12), b'', parts).hex()`.
 */
export function checksumOf(parts: readonly NodeJS.ArrayBufferView[]): string {
  const cipher = createCipheriv(ALGORITHM, KEY, NONCE)
  for (const part of parts) if (part.byteLength > 0) cipher.setAAD(part)
  cipher.final()
  return cipher.getAuthTag().toString('hex')
}
