import type { Instrument } from '../domain/instrument.ts'
import type { Interval } from '../domain/market-data/interval.ts'
import type { Purpose } from '../domain/orders/order-intent.ts'
import type { OrderSpec } from '../domain/orders/order-request.ts'
import type { OrderStatus } from '../domain/orders/order-status.ts'
import type { Direction, Side } from '../domain/orders/side.ts'

/** What a strategy holds, in plain numbers for decisions. */
export interface PositionView {
  readonly direction: Direction | 'flat'
  /** Base units, never negative. */
  readonly quantity: number
  /** Average price of what is open; NaN when flat. */
  readonly entryPrice: number
  /** Market time of the first open entry, ms UTC; NaN when flat. */
  readonly openedAt: number
}

/** What a strategy holds on either side, which only a futures account can hold both at once (`positionMode: twoWay`). */
export interface Positions {
  readonly long: PositionView
  readonly short: PositionView
}

/** What one fill of an entry opened and nothing has closed yet, in plain numbers. */
export interface LotView {
  /** Of the entry; protective orders name it as `protects`. */
  readonly clientOrderId: string
  readonly direction: Direction
  /** Base units. */
  readonly quantity: number
  /** Price of the fill, quote per base. */
  readonly entryPrice: number
  /** Market time of the fill, ms UTC. */
  readonly openedAt: number
  /** Of the entry. */
  readonly tag: string | undefined
}

/** One of the strategy's orders, in plain numbers; prices in quote per base, as the exchange's grid has them. */
export interface OrderView {
  readonly clientOrderId: string
  readonly side: Side
  readonly purpose: Purpose
  readonly type: OrderSpec['type']
  readonly status: OrderStatus
  /** The limit of a limit or stop-limit order, a take-profit for example; `undefined` for others. */
  readonly price: number | undefined
  /** Where a stop or stop-limit order triggers, a stop-loss for example; of a trailing stop where it stands now, `undefined` before its activation. */
  readonly stopPrice: number | undefined
  /** Where an `ifTouched` order triggers. */
  readonly triggerPrice: number | undefined
  /** Where a trailing stop starts to exist, if it has an activation. */
  readonly activationPrice: number | undefined
  /** The `clientOrderId` of the entry that a protective order protects. */
  readonly protects: string | undefined
  /** Base units. */
  readonly quantity: number
  /** Base units. */
  readonly filledQuantity: number
  readonly tag: string | undefined
  /** The role whose instrument it is of; `undefined` for the strategy's own. */
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
  /** The role whose instrument it is of; `undefined` for the strategy's own. */
  readonly market: string | undefined
  /** ms UTC. */
  readonly time: number
}

/** One instrument of a strategy, and what the strategy has of it. */
export interface MarketView {
  readonly instrument: Instrument
  /** Latest price that the strategy was shown, quote per base; NaN before the first. */
  readonly price: number
  /** The position. Where long and short ones are held side by side: the larger, its quantity less that of the other. */
  readonly position: PositionView
  readonly positions: Positions
  /** What the position consists of, in order of entry: the fills of entries, as far as they are open. */
  readonly lots: readonly LotView[]
  /** Orders that can still trade: entries, exits and protection. */
  readonly orders: readonly OrderView[]
  /** What the account that the instrument is traded on holds of an asset, free or not; 0 for one that it does not hold. */
  balance(asset: string): number
}

/** What the engine lets a strategy see; read it inside a handler, it always shows the present. */
export interface StrategyView extends MarketView {
  /** Of its own klines. */
  readonly interval: Interval
  /** Market time, ms UTC. */
  readonly time: number
  /** Everything owned, in quote, at the latest prices. */
  readonly equity: number
  /** The instruments of its roles, by role. */
  readonly markets: Readonly<Record<string, MarketView>>
}
