import type { Instrument } from '../domain/instrument.ts'
import type { Interval } from '../domain/market-data/interval.ts'
import type { Purpose } from '../domain/orders/order-intent.ts'
import type { OrderSpec } from '../domain/orders/order-request.ts'
import type { OrderStatus } from '../domain/orders/order-status.ts'
import type { Direction, Side } from '../domain/orders/side.ts'

/** Position of a strategy, in plain numbers for decisions. */
export interface PositionView {
  readonly direction: Direction | 'flat'
  /** Base units, never negative. */
  readonly quantity: number
  /** Average entry price; NaN when flat. */
  readonly entryPrice: number
  /** Market time of the first open entry, ms UTC; NaN when flat. */
  readonly openedAt: number
}

/** Positions of a strategy by side; only a futures account can hold both at once (`positionMode: twoWay`). */
export interface Positions {
  readonly long: PositionView
  readonly short: PositionView
}

/** Open rest of one entry fill, in plain numbers. */
export interface LotView {
  /** Id of the entry; protective orders name it as `protects`. */
  readonly clientOrderId: string
  readonly direction: Direction
  /** Base units. */
  readonly quantity: number
  /** Price of the fill, quote per base. */
  readonly entryPrice: number
  /** Market time of the fill, ms UTC. */
  readonly openedAt: number
  /** Tag of the entry. */
  readonly tag: string | undefined
}

/**
 * One of the strategy's orders, in plain numbers; prices in quote per base, rounded to the exchange's grid.
 */
export interface OrderView {
  readonly clientOrderId: string
  readonly side: Side
  readonly purpose: Purpose
  readonly type: OrderSpec['type']
  readonly status: OrderStatus
  /** Limit price of a limit or stop-limit order, such as a take-profit; `undefined` for others. */
  readonly price: number | undefined
  /**
   * Trigger price of a stop or stop-limit order, such as a stop-loss; of a trailing stop its current level,
   * `undefined` before its activation.
   */
  readonly stopPrice: number | undefined
  /** Trigger price of an `ifTouched` order. */
  readonly triggerPrice: number | undefined
  /** Activation price of a trailing stop, if it has one. */
  readonly activationPrice: number | undefined
  /** The `clientOrderId` of the entry that a protective order protects. */
  readonly protects: string | undefined
  /** Base units. */
  readonly quantity: number
  /** Base units. */
  readonly filledQuantity: number
  readonly tag: string | undefined
  /** Role of its instrument; `undefined` for the strategy's own. */
  readonly market: string | undefined
}

/** A fill of one of the strategy's orders, in plain numbers. */
export interface FillView {
  readonly clientOrderId: string
  readonly side: Side
  readonly purpose: Purpose
  readonly price: number
  /** Base units. */
  readonly quantity: number
  readonly tag: string | undefined
  /** Role of its instrument; `undefined` for the strategy's own. */
  readonly market: string | undefined
  /** ms UTC. */
  readonly time: number
}

/** One instrument of a strategy, with its position and orders. */
export interface MarketView {
  readonly instrument: Instrument
  /** Latest price that the strategy has received, quote per base; NaN before the first. */
  readonly price: number
  /** The position. With long and short side by side: the larger one, its quantity minus that of the other. */
  readonly position: PositionView
  readonly positions: Positions
  /** Open rests of entry fills, in order of entry. */
  readonly lots: readonly LotView[]
  /** Orders that can still trade: entries, exits and protection. */
  readonly orders: readonly OrderView[]
  /** Total balance of an asset on the account of the instrument, free or locked; 0 without a balance. */
  balance(asset: string): number
}

/** Values of own series for charts, by the name of the series. */
export type PlotValues = Readonly<Record<string, number>>

/** A strategy's view of the engine; valid inside a handler, always current. */
export interface StrategyView extends MarketView {
  /** Interval of its own klines. */
  readonly interval: Interval
  /** Market time, ms UTC. */
  readonly time: number
  /** Total equity in quote, at the latest prices. */
  readonly equity: number
  /** Instruments of its roles, by role. */
  readonly markets: Readonly<Record<string, MarketView>>
  /**
   * Records values for charts, by name, at the present market time. No decision can read them back; a value that is no
   * finite number leaves a gap, and where nobody records, nothing happens.
   */
  plot(values: PlotValues): void
}
