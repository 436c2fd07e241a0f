import { SluiceError } from '../../domain/sluice-error.ts'
import { ExchangeError } from './exchange-error.ts'
import { NetworkError } from './network-error.ts'

/** UNAUTHORIZED: answered for an unknown path too (supplement, section 2). */
const UNAUTHORIZED = -1002
const NOT_FOUND = 404

/** A call that the host does not have, by its profile; nothing was sent. */
export class CallNotOfferedError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string

  /** `host`: name and port; `profile`: its name; `instead`: a whole sentence about what can be done without it. */
  constructor(endpoint: string, host: string, profile: string, instead: string) {
    super(`The call ${endpoint} was not sent: ${host} does not have it (profile ${profile}). ${instead}`, {
      code: 'CALL_NOT_OFFERED',
      reaction: 'skip',
    })
    this.endpoint = endpoint
  }
}

/**
 * True if the host does not have a call: its profile says so, or the host answered that it does not know the path.
 * For calls that are sent with a key where they need one.
 */
export function isNotOffered(error: unknown): boolean {
  if (error instanceof CallNotOfferedError) return true
  if (error instanceof NetworkError) return error.httpStatus === NOT_FOUND
  if (!(error instanceof ExchangeError)) return false
  const { exchangeCode, httpStatus } = error
  return exchangeCode === UNAUTHORIZED || (exchangeCode === undefined && httpStatus === NOT_FOUND)
}
