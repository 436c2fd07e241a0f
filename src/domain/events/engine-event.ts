import type { AccountType } from '../instrument.ts'
import type { Interval } from '../market-data/interval.ts'
import type { Kline } from '../market-data/kline.ts'
import type { MarketDataEvent } from '../market-data/market-data.ts'
import type { Amount } from '../numbers/amount.ts'
import type { Ticks } from '../numbers/grid.ts'
import type { Fill } from '../orders/fill.ts'
import type { Purpose } from '../orders/order-intent.ts'
import type { OrderEventType } from '../orders/order-status.ts'
import type { FundingPayment } from './funding-payment.ts'
import type { Liquidation } from './liquidation.ts'
import type { TradingEvent } from './trading-event.ts'

export interface KlineClosed {
  readonly type: 'klineClosed'
  readonly symbol: string
  readonly interval: Interval
  readonly kline: Kline
}

/** A kline from before the start of the bot: updates indicators, without a decision. */
export interface HistorySeen {
  readonly type: 'historySeen'
  readonly symbol: string
  readonly interval: Interval
  readonly kline: Kline
}

/** One of our orders traded. */
export interface Filled {
  readonly type: 'filled'
  readonly fill: Fill
  /** When it is known at the latest, ms UTC; absent if at its own time. A kline does not tell when it traded, so this is its close; for an open, the moment after. */
  readonly knownAt?: number | undefined
}

/** Any change of one of our orders but a fill. */
export interface OrderUpdated {
  readonly type: 'orderUpdated'
  readonly clientOrderId: string
  readonly event: Exclude<OrderEventType, 'partlyFilled' | 'filled'>
  readonly exchangeOrderId?: string
  readonly reason?: string
  /** ms UTC. */
  readonly time: number
}

/** The best price of a trailing stop improved. */
export interface TrailingStopMoved {
  readonly type: 'trailingStopMoved'
  readonly clientOrderId: string
  readonly best: Ticks
  /** ms UTC. */
  readonly time: number
}

/** A trade of a foreign order on our account. */
export interface OthersTrade {
  readonly symbol: string
  readonly tradeId: string
  /** The exchange's id of that order. */
  readonly orderId: string
}

/** The exchange reported the account's balances. */
export interface BalancesReported {
  readonly type: 'balancesReported'
  /** Free plus locked, by asset. */
  readonly balances: ReadonlyMap<string, Amount>
  /** Account of the balances; default: the only one. */
  readonly account?: AccountType | undefined
  /** Foreign trade that changed the balances, if the exchange reports it instead of the balances. */
  readonly trade?: OthersTrade | undefined
  /** ms UTC. */
  readonly time: number
}

/** Price at which waiting market orders will trade; only sent if `sizingReference` is `nextOpen`. */
export interface OpeningSeen {
  readonly type: 'openingSeen'
  readonly symbol: string
  /** Book whose orders trade at it; default: all books of the symbol. */
  readonly book?: string
  readonly price: Ticks
  /**
   * True for a repeat of the same opening, for lists of signals that waited for orders which traded at it.
   */
  readonly again?: true
  /** ms UTC. */
  readonly time: number
}

/** A request to close a position at market from outside the strategy: the end of the data, or ruin. */
export interface FlattenRequested {
  readonly type: 'flattenRequested'
  readonly symbol: string
  /** Book of the position; default: all of the symbol. */
  readonly book?: string
  readonly purpose: Purpose
  /** ms UTC. */
  readonly time: number
}

/** Time to send again what the exchange has refused: protection of open positions, and the rest of a closing. */
export interface RetryDue {
  readonly type: 'retryDue'
  readonly symbol: string
  /** Default: every book of the symbol. */
  readonly book?: string
  /** ms UTC. */
  readonly time: number
}

/** The mark price of a contract changed. Without mark prices, the latest price is used. */
export interface MarkPriceSeen {
  readonly type: 'markPriceSeen'
  readonly symbol: string
  readonly price: Ticks
  /** ms UTC. */
  readonly time: number
}

/**
 * Latest trade prices of instruments between two klines. Sent if a daily loss or a drawdown depends on them,
 * or still lacks a reference, and for the other instruments before the first kline of a moment; otherwise
 * equity is computed at the closes of klines.
 */
export interface PricesSeen {
  readonly type: 'pricesSeen'
  /** Price by symbol. */
  readonly prices: readonly (readonly [string, Ticks])[]
  /**
   * Before the first kline of a moment: prices (quote per base) of the instruments in which one closes, by symbol, which strategies
   * see as well. Absent in journals of older versions.
   */
  readonly closes?: readonly (readonly [string, number])[]
  /** Close time of that kline, ms UTC. Absent in journals of older versions. */
  readonly closeTime?: number
  /** ms UTC. */
  readonly time: number
}

/** A position paid or received funding. */
export interface FundingPaid {
  readonly type: 'fundingPaid'
  readonly payment: FundingPayment
}

/** The exchange reported the margin of an isolated position: margin was added or removed by hand. */
export interface PositionMarginReported {
  readonly type: 'positionMarginReported'
  readonly symbol: string
  /** Book of the position. */
  readonly book: string
  /** Margin in quote. */
  readonly margin: Amount
  /** ms UTC. */
  readonly time: number
}

/** The exchange reported another average entry price of a position: others traded contracts of it. */
export interface PositionCostReported {
  readonly type: 'positionCostReported'
  readonly symbol: string
  /** Book of the position. */
  readonly book: string
  /** Notional at that price, in quote. */
  readonly cost: Amount
  /** ms UTC. */
  readonly time: number
}

/** The exchange liquidated a position. */
export interface Liquidated {
  readonly type: 'liquidated'
  readonly liquidation: Liquidation
  /** Id of the resulting fill; unique per venue. */
  readonly fillId: string
  /** ms UTC. */
  readonly time: number
  /** As of a fill. */
  readonly knownAt?: number | undefined
}

/** Exchange and ledger disagree on an instrument for an unknown reason: no more decisions are made on it. */
export interface InstrumentHalted {
  readonly type: 'instrumentHalted'
  readonly symbol: string
  readonly reason: string
  /** ms UTC. */
  readonly time: number
}

/**
 * A strategy failed after a handler had returned, in a promise that it left behind; it is stopped like one
 * that throws.
 */
export interface StrategyBroke {
  readonly type: 'strategyBroke'
  readonly symbol: string
  /** The book of the strategy. */
  readonly book: string
  /** Reason, a sentence. */
  readonly reason: string
  /** ms UTC. */
  readonly time: number
}

/**
 * Trading begins, after restore, warm-up and reconciliation. Only sent to strategies with a handler for it.
 */
export interface SessionStarted {
  readonly type: 'sessionStarted'
  /** ms UTC. */
  readonly time: number
}

/** Trading is about to end in order. Only sent to strategies with a handler for it. */
export interface SessionEnding {
  readonly type: 'sessionEnding'
  /** ms UTC. */
  readonly time: number
}

/** All inputs of the engine. */
export type EngineEvent =
  | KlineClosed
  | HistorySeen
  | Filled
  | OrderUpdated
  | TrailingStopMoved
  | BalancesReported
  | OpeningSeen
  | FlattenRequested
  | RetryDue
  | MarkPriceSeen
  | PricesSeen
  | FundingPaid
  | PositionMarginReported
  | PositionCostReported
  | Liquidated
  | MarketDataEvent
  | StrategyBroke
  | SessionStarted
  | SessionEnding
  | TradingEvent
  | InstrumentHalted
