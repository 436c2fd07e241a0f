import type { EngineEvent } from '../../domain/events/engine-event.ts'
import type { Instrument } from '../../domain/instrument.ts'
import type { Ticks } from '../../domain/numbers/grid.ts'
import type { AccountClient } from '../../exchange/client/account-client.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { TradingCalls } from '../gateway/trading-calls.ts'
import type { SentRequest, SentRequests, TradesSeen, TransactionsSeen } from '../sent-requests.ts'
import type { OrderTracker } from '../tracking/order-tracker.ts'
import type { UnbookableError } from '../tracking/unbookable-error.ts'
import type { FuturesReads, HeldContract } from './futures-account.ts'
import type { ReconciliationReport } from './reconciliation-report.ts'

/** Treatment of foreign open orders: keep them, or cancel them. */
export type ForeignOrders = 'leave' | 'cancel'

export interface ReconcilerOptions {
  readonly trading: TradingCalls
  /** The spot account; read only if an instrument is traded on it. */
  readonly account: Pick<AccountClient, 'balances'>
  /** The futures account, and the contracts by symbol, where there are some. */
  readonly futures?: { readonly reads: FuturesReads; readonly contracts: readonly HeldContract[] } | undefined
  readonly instruments: ReadonlyMap<string, Instrument>
  /** Prefixes of the clientOrderIds of own orders, in any session. */
  readonly ownPrefixes: readonly string[]
  /** Start of this session, ms UTC by the exchange's clock; part of the clientOrderIds of its orders. */
  readonly startedAt?: number | undefined
  /** Part of the clientOrderIds that identifies this session; see `SessionIdentity`. */
  readonly tag?: string | undefined
  /** Time after a request's last possible acceptance by which its effects are visible, ms. */
  readonly settlementMarginMs: number
  readonly foreignOrders: ForeignOrders
  /** Set if an instrument is traded on a margin account. */
  readonly margin?: MarginRules | undefined
  readonly ledger: Ledger
  readonly sentRequests: SentRequests
  readonly tracker: OrderTracker
  readonly serverNow: () => number
  readonly emit: (event: EngineEvent) => void
  /**
   * Records a request before it is sent; the returned function commits the record, right before the first
   * byte.
   */
  readonly onDeparture: (sentRequest: SentRequest) => (() => void) | undefined
  /** Records durably which own trades were processed. */
  readonly onTradesSeen: (seen: TradesSeen) => void
  /** Records durably which transactions of the futures account were processed. */
  readonly onTransactionsSeen: (seen: TransactionsSeen) => void
  /** Called if the exchange's position of an instrument differs from the books; it is compared again. */
  readonly onPositionMismatch: (symbol: string) => void
  /** Positions of an instrument that are closed without waiting for a late listing of missing coins; `undefined` without any. */
  readonly closingOf: (symbol: string) => ClosingPositions | undefined
  /** Reason of halts, a sentence, once another process was seen to trade under this bot's name; `undefined` before. */
  readonly namesakeReason?: (() => string | undefined) | undefined
  readonly onReport: (report: ReconciliationReport) => void
  /** Called if a trade is finer than the grid of its instrument, which cannot be booked from then on. */
  readonly onUnbookable: (error: UnbookableError) => void
}

/** Positions of an instrument that an operator closes, or that orders which the exchange refuses are to close or protect. */
export interface ClosingPositions {
  /** Books of these positions. */
  readonly books: ReadonlySet<string>
  /** Latest price of a trade; `undefined` before the first, and then the price of the books counts. */
  readonly price: Ticks | undefined
}

/**
 * Treatment of foreign trades on a margin account: halt their instrument until an operator resumes, or adopt
 * them.
 */
export type ForeignMarginTrades = 'halt' | 'adopt'

/** Rules of a margin account. */
export interface MarginRules {
  readonly foreignTrades: ForeignMarginTrades
  /** True if a strategy trades a symbol, rather than only follows it. */
  readonly isTraded: (symbol: string) => boolean
  /** Reason of the present hold of an instrument by an invariant; `undefined` without one. */
  readonly holdOf: (symbol: string) => string | undefined
}
