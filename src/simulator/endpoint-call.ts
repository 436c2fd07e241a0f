import { ApiError } from './api-error.ts'
import type { JsonValue } from './json-text.ts'
import type { RequestParameters } from './request-parameters.ts'
import type { SpotExchange, User } from './spot-exchange.ts'

/** One call of an endpoint, checked and authenticated. */
export interface EndpointCall {
  readonly exchange: SpotExchange
  readonly parameters: RequestParameters
  /** Who signed; `undefined` where the endpoint is free. */
  readonly user: User | undefined
  /** ms UTC. */
  readonly now: number
}

/** Answers one endpoint; throws `ApiError` to refuse. */
export type EndpointHandler = (call: EndpointCall) => JsonValue

/** The user of a signed call. */
export function userOf({ user }: EndpointCall): User {
  if (user === undefined) throw new ApiError('UNAUTHORIZED')
  return user
}
