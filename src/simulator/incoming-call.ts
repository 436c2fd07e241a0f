import type { FuturesExchange } from './futures/futures-exchange.ts'
import { ApiError } from './protocol/api-error.ts'
import type { JsonValue } from './protocol/json-text.ts'
import type { RequestParameters } from './protocol/request-parameters.ts'
import type { SpotExchange } from './spot-exchange.ts'
import type { Transfers } from './transfer/transfers.ts'
import type { User } from './user.ts'
import type { Withdrawals } from './withdrawal/withdrawals.ts'

/** One call of an endpoint, checked and authenticated. */
export interface IncomingCall {
  readonly exchange: SpotExchange
  readonly futures: FuturesExchange
  readonly transfers: Transfers
  readonly withdrawals: Withdrawals
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly parameters: RequestParameters
  /** The signing user; `undefined` for a public endpoint. */
  readonly user: User | undefined
  /** ms UTC. */
  readonly now: number
}

/** Answers one endpoint; throws `ApiError` to refuse. */
export type EndpointHandler = (call: IncomingCall) => JsonValue

/** The user of a signed call. */
export function userOf({ user }: IncomingCall): User {
  if (user === undefined) throw new ApiError('UNAUTHORIZED')
  return user
}
