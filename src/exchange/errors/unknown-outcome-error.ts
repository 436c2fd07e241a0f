import { SluiceError } from '../../domain/sluice-error.ts'

export interface UnknownOutcomeDetails {
  /** Key of the endpoint. */
  readonly endpoint: string
  /** Reason, worded as the end of a sentence. */
  readonly what: string
  /** X-CH-TS of the request: server time, ms UTC. */
  readonly timestamp: number
  /** Period after `timestamp` in which the exchange may still accept it, ms. */
  readonly recvWindowMs: number
  readonly cause?: unknown
}

/** A write was sent and its outcome is unknown: look the order up, never send it again. */
export class UnknownOutcomeError extends SluiceError {
  readonly endpoint: string
  /** X-CH-TS of the request: server time, ms UTC. */
  readonly timestamp: number
  /** Server time after which the exchange no longer accepts the request, ms UTC. */
  readonly acceptableUntil: number

  constructor({ endpoint, what, timestamp, recvWindowMs, cause }: UnknownOutcomeDetails) {
    super(`The exchange may have executed ${endpoint}: ${what} Look it up before acting on it.`, {
      code: 'UNKNOWN_OUTCOME',
      reaction: 'reconcile',
      cause,
    })
    this.endpoint = endpoint
    this.timestamp = timestamp
    this.acceptableUntil = timestamp + recvWindowMs
  }
}
