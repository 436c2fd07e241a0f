import type { FuturesExchange } from './futures/futures-exchange.ts'
import type { LiveState } from './live/live-state.ts'
import type { MarketObservation } from './live/market-observation.ts'
import type { ExchangeResponse } from './protocol/exchange-response.ts'
import type { ExchangeRequest } from './protocol/request-authentication.ts'
import type { SpotExchange } from './spot-exchange.ts'
import type { Transfers } from './transfer/transfers.ts'
import type { Withdrawals } from './withdrawal/withdrawals.ts'

/** Effects of faults on the processing of one request. */
export interface CallConditions {
  /** Lead of the exchange's clock, ms. */
  readonly skewMs: number
  /** Delay before an order reaches the book, ms. */
  readonly matchingDelayMs: number
  /** Delay before a cancel is executed, ms. */
  readonly cancelDelayMs: number
  /** True if timestamp and signature have been checked before. */
  readonly isTrusted: boolean
  /** Called right before the request may change state. */
  readonly onWrite?: (() => void) | undefined
}

/** The conditions of a call that no fault strikes. */
export const USUAL_CONDITIONS: CallConditions = {
  skewMs: 0,
  matchingDelayMs: 0,
  cancelDelayMs: 0,
  isTrusted: false,
}

/** Markets, accounts and endpoints of the exchange, without faults. */
export interface ExchangeCore {
  /** Answers a request that arrives at `now`, ms UTC; throws for no input of a client. */
  handle(request: ExchangeRequest, now: number, conditions?: CallConditions): ExchangeResponse
  /** Moves the market to a time, ms UTC; a past time is ignored. */
  advance(to: number): void
  /**
   * Takes what a host tells of a market of the type live, at the present moment; throws `ApiError` for a market
   * that is not listed. Returns true if it may have changed an account.
   */
  observe(observation: MarketObservation): boolean
  /** Queue and latency of the markets of the type live. */
  readonly live: LiveState
  /** When the market moves next, ms UTC; `undefined` once it has ended. */
  readonly nextPrintAt: number | undefined
  /** Accounts, markets and orders behind the interface, for looking at. */
  readonly state: SpotExchange
  /** The futures side of the same, with accounts of its own for the same users. */
  readonly futures: FuturesExchange
  /** Transfers of all users. */
  readonly transfers: Transfers
  /** Withdrawals of all users. */
  readonly withdrawals: Withdrawals
}
