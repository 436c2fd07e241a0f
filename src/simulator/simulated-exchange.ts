import { ApiError } from './api-error.ts'
import type { JsonValue } from './json-text.ts'
import { jsonText } from './json-text.ts'
import {
  apiKeyOf,
  checkSignature,
  checkTimestamp,
  type ExchangeRequest,
  splitTarget,
} from './request-authentication.ts'
import { bodyParameters, queryParameters, type RequestParameters } from './request-parameters.ts'
import { type Route, routeOf } from './routes.ts'
import { type SimulatorConfigInput, simulatorConfigOf } from './simulator-config.ts'
import { SpotExchange, type User } from './spot-exchange.ts'

/** An answer of the exchange. */
interface ExchangeResponse {
  /** HTTP status. */
  readonly status: number
  /** JSON text. */
  readonly body: string
}

/** The simulated exchange: no sockets, no clock, no randomness but its seed. */
export interface SimulatedExchange {
  /** Answers a request that arrives at `now`, ms UTC; never throws for what a client may send. */
  handle(request: ExchangeRequest, now: number): ExchangeResponse
  /** Moves the market to a time, ms UTC; one in the past changes nothing. */
  advance(to: number): void
  /** When the market moves next, ms UTC; `undefined` once it has ended. */
  readonly nextPrintAt: number | undefined
  /** Accounts, markets and orders behind the interface, for looking at. */
  readonly state: SpotExchange
}

/** What live gateways answer for a path they do not know. */
const UNKNOWN_PATH: JsonValue = { code: '-1002', data: null, msg: 'UNAUTHORIZED', msgData: null, succ: false }

/** A new exchange; it opens at the first time it hears of. Throws `UsageError` for a configuration that cannot be used. */
export function createSimulatedExchange(input: SimulatorConfigInput = {}): SimulatedExchange {
  const config = simulatorConfigOf(input)
  const state = new SpotExchange(config)
  const usersByKey = new Map(state.users.map(user => [user.apiKey, user]))
  return {
    state,
    advance: to => state.advance(to),
    get nextPrintAt() {
      return state.nextPrintAt
    },
    handle(request, now) {
      state.advance(now)
      const { path } = splitTarget(request.target)
      const route = routeOf(request.method, path)
      if (route === undefined) return { status: 404, body: jsonText(UNKNOWN_PATH) }
      try {
        return { status: 200, body: jsonText(answer(request, route, state, usersByKey)) }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const status = config.httpOkOnErrors ? 200 : error.status
        return { status, body: jsonText({ code: error.code, msg: error.message }) }
      }
    },
  }
}

function answer(
  request: ExchangeRequest,
  route: Route,
  exchange: SpotExchange,
  usersByKey: ReadonlyMap<string, User>,
): JsonValue {
  const now = exchange.now
  const user = route.signed ? authenticate(request, usersByKey, now) : undefined
  if (route.handler === undefined) throw new ApiError('UNSUPPORTED_OPERATION')
  return route.handler({ exchange, parameters: parametersOf(request), user, now })
}

function authenticate(request: ExchangeRequest, usersByKey: ReadonlyMap<string, User>, now: number): User {
  const user = usersByKey.get(apiKeyOf(request))
  if (user === undefined) throw new ApiError('REJECTED_CH_KEY')
  checkTimestamp(request, recvWindowOf(request), now)
  checkSignature(request, user.apiSecret)
  return user
}

/** The window may stand in the query or in the body. */
function recvWindowOf(request: ExchangeRequest): number | undefined {
  const { query } = splitTarget(request.target)
  return queryParameters(query).integer('recvWindow') ?? parametersOf(request).integer('recvWindow')
}

/** A POST has its parameters in a JSON body, a GET in its query. */
function parametersOf({ method, target, headers, body }: ExchangeRequest): RequestParameters {
  if (method !== 'POST') return queryParameters(splitTarget(target).query)
  const isJson = headers['content-type']?.toLowerCase().startsWith('application/json') ?? false
  if (body !== '' && !isJson) throw new ApiError('ILLEGAL_CONTENT_TYPE')
  return bodyParameters(body)
}
