import { createCipheriv } from 'node:crypto'

const ALGORITHM = 'aes-128-gcm'
const KEY = new Uint8Array(16)
const NONCE = new Uint8Array(12)

/**
 * Checksum of bytes given in parts, as 32 hexadecimal digits: the tag of AES-128-GCM (NIST SP 800-38D) with a
 * key and a nonce of zeros over an empty text and, as additional data, these bytes. With a public key it
 * proves nothing about the author of a file; it detects damage as reliably as a hash of 128 bits and about as
 * fast as memory is read, while a CRC-32 takes longer than reading the file. In Python, with the package
 * cryptography: `AESGCM(bytes(16)).encrypt(bytes(12), b'', parts).hex()`.
 */
export function checksumOf(parts: readonly NodeJS.ArrayBufferView[]): string {
  const cipher = createCipheriv(ALGORITHM, KEY, NONCE)
  for (const part of parts) if (part.byteLength > 0) cipher.setAAD(part)
  cipher.final()
  return cipher.getAuthTag().toString('hex')
}
