import { SluiceError } from '../../domain/sluice-error.ts'

/** The exchange gave an answer that the interface does not describe. */
export class MalformedResponseError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string
  readonly httpStatus: number
  /** Beginning of the answer. */
  readonly excerpt: string
  /** False if the answer is not JSON at all. */
  readonly isJson: boolean

  constructor(endpoint: string, httpStatus: number, what: string, excerpt: string, isJson = true) {
    super(`The answer to ${endpoint} (HTTP ${httpStatus}) cannot be read: ${what} It begins: ${excerpt}`, {
      code: 'MALFORMED_RESPONSE',
      reaction: 'skip',
    })
    this.endpoint = endpoint
    this.httpStatus = httpStatus
    this.excerpt = excerpt
    this.isJson = isJson
  }
}
