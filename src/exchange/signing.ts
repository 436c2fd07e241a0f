import { createHmac } from 'node:crypto'

/** What is signed, byte for byte as it is sent. */
export interface SignedText {
  /** X-CH-TS, ms UTC. */
  readonly timestamp: number
  readonly method: 'GET' | 'POST'
  /** Path, and `?query` where there is one. */
  readonly requestPath: string
  readonly body: string
}

/** X-CH-SIGN: hex HMAC-SHA256 of timestamp, method, path and body without separators (interface section 5.5). */
export function signatureOf(secret: string, { timestamp, method, requestPath, body }: SignedText): string {
  return createHmac('sha256', secret).update(`${timestamp}${method}${requestPath}${body}`).digest('hex')
}
