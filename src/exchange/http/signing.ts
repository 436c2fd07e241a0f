import { hash } from 'node:crypto'

/** Signed parts of a request, byte for byte as sent. */
export interface SignedText {
  /** X-CH-TS, ms UTC. */
  readonly timestamp: number
  readonly method: 'GET' | 'POST'
  /** Path, with `?query` if there is one. */
  readonly requestPath: string
  readonly body: string
}

/** Block size of SHA-256, bytes. */
const BLOCK = 64
/** Digest size of SHA-256, bytes. */
const DIGEST = 32
/** Most UTF-8 bytes of a UTF-16 code unit. */
const MOST_BYTES = 3
const FIRST_ROOM = 4096

/**
 * Computes X-CH-SIGN for one secret: hex HMAC-SHA256 of timestamp, method, path and body without separators
 * (interface section 5.5). HMAC is built here (RFC 2104, section 2) from the one-shot `hash`, with the key's
 * two blocks prepared once: `createHmac` reads the key every time and leaves an object for the garbage
 * collector to finalise.
 */
export function signer(secret: string): (text: SignedText) => string {
  const key = keyBlock(secret)
  const outer = Buffer.concat([key.map(byte => byte ^ 0x5c), Buffer.alloc(DIGEST)])
  let inner = Buffer.alloc(BLOCK + FIRST_ROOM)
  inner.set(key.map(byte => byte ^ 0x36))
  return ({ timestamp, method, requestPath, body }) => {
    const text = `${timestamp}${method}${requestPath}${body}`
    const room = BLOCK + text.length * MOST_BYTES
    if (inner.length < room) inner = Buffer.concat([inner], room)
    const end = BLOCK + inner.write(text, BLOCK, 'utf8')
    outer.write(hash('sha256', inner.subarray(0, end), 'latin1'), BLOCK, 'latin1')
    return hash('sha256', outer, 'hex')
  }
}

/** The secret padded with zeros to a block; a longer secret is replaced by its digest. */
function keyBlock(secret: string): Uint8Array {
  const bytes = Buffer.from(secret, 'utf8')
  const block = new Uint8Array(BLOCK)
  block.set(bytes.length > BLOCK ? hash('sha256', bytes, 'buffer') : bytes)
  return block
}
