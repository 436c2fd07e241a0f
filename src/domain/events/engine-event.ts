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

/** A kline is complete and may be seen. */
export interface KlineClosed {
  readonly type: 'klineClosed'
  readonly symbol: string
  readonly interval: Interval
  readonly kline: Kline
}

/** A kline from before the bot started: feeds indicators, decides nothing. */
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
}

/** Something other than a fill happened to one of our orders. */
export interface OrderUpdated {
  readonly type: 'orderUpdated'
  readonly clientOrderId: string
  readonly event: Exclude<OrderEventType, 'partlyFilled' | 'filled'>
  readonly exchangeOrderId?: string
  readonly reason?: string
  /** ms UTC. */
  readonly time: number
}

/** The best price that a trailing stop has seen got better. */
export interface TrailingStopMoved {
  readonly type: 'trailingStopMoved'
  readonly clientOrderId: string
  readonly best: Ticks
  /** ms UTC. */
  readonly time: number
}

/** A trade of an order that is not ours, on an account of ours. */
export interface OthersTrade {
  readonly symbol: string
  readonly tradeId: string
  /** The exchange's id of the order. */
  readonly orderId: string
}

/** The exchange told what the account holds. */
export interface BalancesReported {
  readonly type: 'balancesReported'
  /** Free plus locked, by asset. */
  readonly balances: ReadonlyMap<string, Amount>
  /** Which account; without it the only one. */
  readonly account?: AccountType | undefined
  /** The trade of somebody else that changed them, where the exchange tells that rather than the balances. */
  readonly trade?: OthersTrade | undefined
  /** ms UTC. */
  readonly time: number
}

/** A price is known at which waiting market orders will trade; only sent where `sizingReference` is `nextOpen`. */
export interface OpeningSeen {
  readonly type: 'openingSeen'
  readonly symbol: string
  /** Whose orders; without it those of everybody who trades the symbol. */
  readonly book?: string
  readonly price: Ticks
  /** The same opening once more, for lists of signals that have waited for orders which traded at it. */
  readonly again?: true
  /** ms UTC. */
  readonly time: number
}

/** Somebody outside the strategy wants a position closed at market: the end of the data, or ruin. */
export interface FlattenRequested {
  readonly type: 'flattenRequested'
  readonly symbol: string
  /** Which position; without it all of the symbol. */
  readonly book?: string
  readonly purpose: Purpose
  /** ms UTC. */
  readonly time: number
}

/** The exchange's mark price of a contract changed. Where none is told, the latest price counts. */
export interface MarkPriceSeen {
  readonly type: 'markPriceSeen'
  readonly symbol: string
  readonly price: Ticks
  /** ms UTC. */
  readonly time: number
}

/**
 * Latest trade prices of instruments between two klines. Told where a daily loss or a drawdown acts on them, or has nothing
 * yet to compare with; otherwise equity is counted at the closes of klines.
 */
export interface PricesSeen {
  readonly type: 'pricesSeen'
  /** By symbol. */
  readonly prices: readonly (readonly [string, Ticks])[]
  /** ms UTC. */
  readonly time: number
}

/** A position paid or received funding. */
export interface FundingPaid {
  readonly type: 'fundingPaid'
  readonly payment: FundingPayment
}

/** The exchange told how much money an isolated position has of its own: somebody put some in or took some out. */
export interface PositionMarginReported {
  readonly type: 'positionMarginReported'
  readonly symbol: string
  /** What the position is held in. */
  readonly book: string
  /** In quote. */
  readonly margin: Amount
  /** ms UTC. */
  readonly time: number
}

/** The exchange took a position over. */
export interface Liquidated {
  readonly type: 'liquidated'
  readonly liquidation: Liquidation
  /** Id of the fill that this comes to; unique per venue. */
  readonly fillId: string
  /** ms UTC. */
  readonly time: number
}

/** The exchange and the ledger disagree on an instrument, and nobody can say why: nothing more is decided on it. */
export interface InstrumentHalted {
  readonly type: 'instrumentHalted'
  readonly symbol: string
  readonly reason: string
  /** ms UTC. */
  readonly time: number
}

/** A strategy failed after a handler had returned, in a promise that it left behind; it is stopped like one that throws. */
export interface StrategyBroke {
  readonly type: 'strategyBroke'
  readonly symbol: string
  /** The book of the strategy. */
  readonly book: string
  /** A sentence. */
  readonly reason: string
  /** ms UTC. */
  readonly time: number
}

/** Trading begins: everything is restored, warmed up and compared. Only sent where a strategy wants to know. */
export interface SessionStarted {
  readonly type: 'sessionStarted'
  /** ms UTC. */
  readonly time: number
}

/** Trading is about to end in order. Only sent where a strategy wants to know. */
export interface SessionEnding {
  readonly type: 'sessionEnding'
  /** ms UTC. */
  readonly time: number
}

/** Everything the engine can learn. */
export type EngineEvent =
  | KlineClosed
  | HistorySeen
  | Filled
  | OrderUpdated
  | TrailingStopMoved
  | BalancesReported
  | OpeningSeen
  | FlattenRequested
  | MarkPriceSeen
  | PricesSeen
  | FundingPaid
  | PositionMarginReported
  | Liquidated
  | MarketDataEvent
  | StrategyBroke
  | SessionStarted
  | SessionEnding
  | TradingEvent
  | InstrumentHalted
