import { type AccountClient, accountClient } from './account/account-client.ts'
import type { GateState } from './budget/call-gate.ts'
import type { CallOptions, EndpointCall } from './call/endpoint-call.ts'
import { type ConnectionOptions, exchangeConnection } from './call/exchange-connection.ts'
import type { ServerClockState } from './clock/server-clock.ts'
import { ENDPOINTS } from './endpoints.ts'
import { type FeedsClient, feedsClient } from './feeds/feeds-client.ts'
import { type FuturesClient, futuresClient } from './futures/futures-client.ts'
import { type MarginClient, marginClient } from './margin/margin-client.ts'
import { type SpotClient, spotClient } from './spot/spot-client.ts'
import { SymbolNames } from './spot/symbol-names.ts'

/** How to reach an exchange, and which rules its client follows. */
export interface ExchangeClientOptions extends ConnectionOptions {
  /** Whether `account.withdraw` may send money away; default: it throws and sends nothing. */
  readonly allowWithdrawals?: boolean
}

/** What is known of the exchange's clock, used of its limits, and forbidden. */
export interface ExchangeState {
  readonly clock: ServerClockState
  readonly calls: GateState
}

/** The typed calls, by what they are about. */
export interface ExchangeCalls {
  readonly spot: SpotClient
  readonly margin: MarginClient
  readonly futures: FuturesClient
  readonly account: AccountClient
  readonly feeds: FeedsClient
}

/** The exchange, typed. */
export interface ExchangeClient extends ExchangeCalls {
  /** The same calls, made in another way: in a lane of your choice, or until a signal aborts. */
  with(options: CallOptions): ExchangeCalls
  /** Estimated server time, ms UTC. */
  serverNow(): number
  /** Measures the exchange's clock now; otherwise that happens with the first signed call and about every minute. */
  synchronise(): Promise<void>
  state(): ExchangeState
  /** Turns away what waits, and ends the connections that the client itself opened. */
  close(): Promise<void>
}

/** A client of one exchange; throws `UsageError` for a URL, key, window or limit that cannot be used. Nothing is sent yet. */
export function createExchangeClient(options: ExchangeClientOptions): ExchangeClient {
  const { call, serverClock, gate, close } = exchangeConnection(options)
  const names = new SymbolNames(async () => (await call(ENDPOINTS.spotSymbols, {})).symbols)
  const now = async (): Promise<number> => {
    await serverClock.prepare()
    return serverClock.now()
  }
  const callsOver = (way: EndpointCall): ExchangeCalls => ({
    spot: spotClient(way, names, now),
    margin: marginClient(way, names),
    futures: futuresClient(way, now),
    account: accountClient(way, options.allowWithdrawals === true, now),
    feeds: feedsClient(way),
  })
  return {
    ...callsOver(call),
    with: shared => callsOver((endpoint, fields, own) => call(endpoint, fields, together(own, shared))),
    serverNow: () => serverClock.now(),
    synchronise: async () => void (await serverClock.synchronise()),
    state: () => ({ clock: serverClock.state(), calls: gate.state() }),
    close,
  }
}

/** What a range asks for, and the caller's own wishes before that; either signal takes a call back. */
function together(own: CallOptions = {}, shared: CallOptions): CallOptions {
  if (own.signal === undefined || shared.signal === undefined) return { ...own, ...shared }
  return { ...own, ...shared, signal: AbortSignal.any([own.signal, shared.signal]) }
}
