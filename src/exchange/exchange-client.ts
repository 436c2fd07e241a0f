import type { GateState } from './budget/call-gate.ts'
import type { CallOptions, EndpointCall } from './call/endpoint-call.ts'
import { type ConnectionOptions, exchangeConnection } from './call/exchange-connection.ts'
import type { RequestCount } from './call/request-counts.ts'
import { type AccountClient, accountClient } from './client/account-client.ts'
import { type FeedsClient, feedsClient } from './client/feeds-client.ts'
import { type FuturesClient, futuresClient } from './client/futures-client.ts'
import { type MarginClient, marginClient } from './client/margin-client.ts'
import { type SpotClient, spotClient } from './client/spot-client.ts'
import type { ServerClockState } from './clock/server-clock.ts'
import { ENDPOINTS } from './endpoints.ts'
import { DOCUMENT_PROFILE } from './profiles/document-profile.ts'
import { SymbolNames } from './spot/symbol-names.ts'

/** Options of an exchange client. */
export interface ExchangeClientOptions extends ConnectionOptions {
  /** True lets `account.withdraw` send money; by default it throws and sends nothing. */
  readonly allowWithdrawals?: boolean
}

/** State of the exchange's clock, and of the rate limits. */
export interface ExchangeState {
  readonly clock: ServerClockState
  readonly calls: GateState
  /** Requests that left, by endpoint and status. */
  readonly requests: readonly RequestCount[]
}

/** The typed calls, grouped by subject. */
export interface ExchangeCalls {
  readonly spot: SpotClient
  readonly margin: MarginClient
  readonly futures: FuturesClient
  readonly account: AccountClient
  readonly feeds: FeedsClient
}

/** Typed client of an exchange. */
export interface ExchangeClient extends ExchangeCalls {
  /** The same calls with other options: another lane, or a signal that aborts them. */
  with(options: CallOptions): ExchangeCalls
  /** Estimated server time, ms UTC. */
  serverNow(): number
  /**
   * Measures the exchange's clock now. Without this it is measured with the first signed call and about once
   * a minute.
   */
  synchronise(): Promise<void>
  state(): ExchangeState
  /** Rejects waiting calls, and closes the connections that the client itself opened. */
  close(): Promise<void>
}

/**
 * Client of one exchange. Throws `UsageError` for an unusable URL, key, window or limit. Sends nothing yet.
 */
export function createExchangeClient(options: ExchangeClientOptions): ExchangeClient {
  const { call, serverClock, gate, requests, close } = exchangeConnection(options)
  const { futures: units } = options.profile ?? DOCUMENT_PROFILE
  const names = new SymbolNames(async () => (await call(ENDPOINTS.spotSymbols, {})).entries)
  const now = async (): Promise<number> => {
    await serverClock.prepare()
    return serverClock.now()
  }
  const callsOver = (way: EndpointCall): ExchangeCalls => ({
    spot: spotClient(way, names, now),
    margin: marginClient(way, names),
    futures: futuresClient(way, now, units),
    account: accountClient(way, options.allowWithdrawals === true, now),
    feeds: feedsClient(way),
  })
  return {
    ...callsOver(call),
    with: shared => callsOver((endpoint, fields, own) => call(endpoint, fields, together(own, shared))),
    serverNow: () => serverClock.now(),
    synchronise: async () => void (await serverClock.synchronise()),
    state: () => ({ clock: serverClock.state(), calls: gate.state(), requests: requests.all }),
    close,
  }
}

/** Options of a range, completed by the caller's own; either signal aborts a call. */
function together(own: CallOptions = {}, shared: CallOptions): CallOptions {
  if (own.signal === undefined || shared.signal === undefined) return { ...own, ...shared }
  return { ...own, ...shared, signal: AbortSignal.any([own.signal, shared.signal]) }
}
