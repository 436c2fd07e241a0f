import type { CallConditions } from '../exchange-core.ts'
import type { IncomingCall } from '../incoming-call.ts'
import { RateLimits } from '../limits/rate-limits.ts'
import { ApiError } from '../protocol/api-error.ts'
import type { EndpointRow } from '../protocol/endpoint-row.ts'
import type { JsonValue } from '../protocol/json-text.ts'
import {
  apiKeyOf,
  checkSignature,
  checkTimestamp,
  type ExchangeRequest,
  splitTarget,
} from '../protocol/request-authentication.ts'
import { bodyParameters, queryParameters, type RequestParameters } from '../protocol/request-parameters.ts'
import { checkStrictly } from '../protocol/strict-parameters.ts'
import type { SimulatorConfig } from '../simulator-config.ts'
import type { User } from '../user.ts'
import type { Route } from './routes.ts'

/** The parts of the exchange that endpoints work on. */
export type EndpointState = Pick<IncomingCall, 'exchange' | 'futures' | 'transfers' | 'withdrawals'>

const THIS_MACHINE = '127.0.0.1'

/** Lets a call through to its endpoint: limits, keys, signatures and parameters are checked here. */
export class RequestPipeline {
  readonly #config: SimulatorConfig
  readonly #state: EndpointState
  readonly #limits: RateLimits
  readonly #usersByKey: ReadonlyMap<string, User>

  constructor(config: SimulatorConfig, state: EndpointState) {
    this.#config = config
    this.#state = state
    this.#limits = new RateLimits(config.limits)
    this.#usersByKey = new Map(state.exchange.users.map(user => [user.apiKey, user]))
  }

  /** Counts a request for a path that does not exist; throws `ApiError`. */
  admitStray({ ip = THIS_MACHINE }: ExchangeRequest): void {
    this.#limits.admitAddress(ip, 1, this.#state.exchange.now)
  }

  /** The answer of an endpoint; throws `ApiError` where it refuses, or is not reached. */
  answer(request: ExchangeRequest, { endpoint, handler }: Route, conditions: CallConditions): JsonValue {
    const { ip = THIS_MACHINE, headers } = request
    const now = this.#state.exchange.now + conditions.skewMs
    const weight = weightOf(endpoint, request)
    if (!conditions.isTrusted) this.#limits.admitAddress(ip, weight, this.#state.exchange.now)
    const user = endpoint.security === 'NONE' ? undefined : this.#userOf(request)
    const parameters = parametersOf(request)
    if (!conditions.isTrusted) {
      if (user !== undefined) this.#authenticate(request, user, parameters, now)
      this.#admitCaller(endpoint, user, ip, weight)
    }
    if (handler === undefined) throw new ApiError('UNSUPPORTED_OPERATION')
    if (this.#config.strictParameters) checkStrictly(endpoint, parameters, splitTarget(request.target).query)
    if (endpoint.effect === 'write') conditions.onWrite?.()
    return handler({ ...this.#state, parameters, headers, user, now })
  }

  /** Only a signed call counts for the account. */
  #admitCaller(endpoint: EndpointRow, user: User | undefined, ip: string, weight: number): void {
    const { now } = this.#state.exchange
    if (user !== undefined) this.#limits.admitUser(user.account.uid, ip, weight, now)
    this.#limits.admitCall(endpoint, user === undefined ? ip : String(user.account.uid), now)
  }

  #userOf(request: ExchangeRequest): User {
    const user = this.#usersByKey.get(apiKeyOf(request))
    if (user === undefined) throw new ApiError('REJECTED_CH_KEY')
    return user
  }

  #authenticate(request: ExchangeRequest, user: User, parameters: RequestParameters, now: number): void {
    const { query } = splitTarget(request.target)
    // The window may be in the query or in the body.
    const window = queryParameters(query).integer('recvWindow') ?? parameters.integer('recvWindow')
    checkTimestamp(request, window ?? this.#config.recvWindowMs, now)
    checkSignature(request, user.apiSecret)
    const { ip = THIS_MACHINE } = request
    if (user.allowedIps !== undefined && !user.allowedIps.includes(ip)) throw new ApiError('REJECTED_CH_KEY')
  }
}

/** Weights depend on the symbols of a query alone. */
function weightOf({ weight }: EndpointRow, { target }: ExchangeRequest): number {
  if (typeof weight === 'number') return weight
  const parameters = new URLSearchParams(splitTarget(target).query)
  const given = (name: string) => parameters.get(name) || undefined
  return weight({ symbol: given('symbol'), symbols: given('symbols') })
}

/** A POST has its parameters in a JSON body, a GET in its query; the document lists one of a GET as a body, so that will do too. */
function parametersOf({ method, target, headers, body }: ExchangeRequest): RequestParameters {
  const { query } = splitTarget(target)
  if (method !== 'POST' && (query !== '' || body === '')) return queryParameters(query)
  const isJson = headers['content-type']?.toLowerCase().startsWith('application/json') ?? false
  if (body !== '' && !isJson) throw new ApiError('ILLEGAL_CONTENT_TYPE')
  return bodyParameters(body)
}
