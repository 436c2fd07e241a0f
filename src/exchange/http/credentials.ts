import { createHash } from 'node:crypto'
import { UsageError } from '../../domain/sluice-error.ts'
import { type SignedText, signer } from './signing.ts'

/** An API key and its secret; neither can be printed, logged or serialised from here. */
export class Credentials {
  readonly #apiKey: string
  readonly #apiSecret: string
  readonly #sign: (text: SignedText) => string

  /** Throws `UsageError` for an empty key or secret, or a key that no header can carry. */
  constructor(apiKey: string, apiSecret: string) {
    if (!/^[\x21-\x7e]+$/.test(apiKey) || apiSecret === '') {
      throw new UsageError(
        'The API key must be printable text without spaces, and the API secret must not be empty.',
      )
    }
    this.#apiKey = apiKey
    this.#apiSecret = apiSecret
    this.#sign = signer(apiSecret)
  }

  /** The headers of every signed request (interface section 5.4). */
  headersFor(text: SignedText): Readonly<Record<string, string>> {
    return {
      'Content-Type': 'application/json',
      'X-CH-APIKEY': this.#apiKey,
      'X-CH-TS': String(text.timestamp),
      'X-CH-SIGN': this.#sign(text),
    }
  }

  /** 16 hex digits that name a text together with the key, and tell neither. */
  digestOf(text: string): string {
    return createHash('sha256').update(`${this.#apiKey}\u0000${text}`).digest('hex').slice(0, 16)
  }

  /** The text without the key and the secret, for what an exchange echoes. */
  redact(text: string): string {
    return text.replaceAll(this.#apiSecret, '[secret]').replaceAll(this.#apiKey, '[key]')
  }
}
