import { SluiceError } from '../../domain/sluice-error.ts'

/** How far the server's clock might be from where we take it to be. */
export interface ClockUncertainDetails {
  /** Key of the endpoint. */
  readonly endpoint: string
  readonly uncertaintyMs: number
  readonly recvWindowMs: number
  readonly cause?: unknown
}

/** A signed write was kept back, because its timestamp might be refused or accepted when nobody expects it; nothing was sent. */
export class ClockUncertainError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string
  /** How far the estimate of the server's clock may be off, ms; infinite before the first measurement. */
  readonly uncertaintyMs: number

  constructor({ endpoint, uncertaintyMs, recvWindowMs, cause }: ClockUncertainDetails) {
    super(
      `The call ${endpoint} was not sent, because the exchange's clock is known to ${Math.ceil(uncertaintyMs)} ms only, too little for a recvWindow of ${recvWindowMs} ms; call again when the connection is better, or widen recvWindowMs.`,
      { code: 'CLOCK_UNCERTAIN', reaction: 'retry', cause },
    )
    this.endpoint = endpoint
    this.uncertaintyMs = uncertaintyMs
  }
}
