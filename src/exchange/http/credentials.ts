import { createHash } from 'node:crypto'
import { UsageError } from '../../domain/sluice-error.ts'
import { type SignedText, signer } from './signing.ts'

/** An API key and its secret; this class never prints, logs or serialises either. */
export class Credentials {
  readonly #apiKey: string
  readonly #apiSecret: string
  readonly #sign: (text: SignedText) => string

  /** Throws `UsageError` for an empty key or secret, or a key that an HTTP header cannot carry. */
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

  /** Headers of a signed request (interface section 5.4). */
  headersFor(text: SignedText): Readonly<Record<string, string>> {
    return {
      'Content-Type': 'application/json',
      'X-CH-APIKEY': this.#apiKey,
      'X-CH-TS': String(text.timestamp),
      'X-CH-SIGN': this.#sign(text),
    }
  }

  /** Digest of a text together with the API key, 16 hex digits; it reveals neither. */
  digestOf(text: string): string {
    return createHash('sha256').update(`${this.#apiKey}\u0000${text}`).digest('hex').slice(0, 16)
  }

  /** Removes the key and the secret from a text that the exchange may echo. */
  redact(text: string): string {
    return text.replaceAll(this.#apiSecret, '[secret]').replaceAll(this.#apiKey, '[key]')
  }
}
