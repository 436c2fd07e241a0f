import { SluiceError } from '../../domain/sluice-error.ts'

export interface ClockUncertainDetails {
  /** Key of the endpoint. */
  readonly endpoint: string
  readonly uncertaintyMs: number
  readonly recvWindowMs: number
  readonly cause?: unknown
}

/**
 * A signed write was not sent, because the exchange might refuse its timestamp, or accept it much later than
 * intended.
 */
export class ClockUncertainError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string
  /** Largest error of the estimated server clock, ms; infinite before the first measurement. */
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
