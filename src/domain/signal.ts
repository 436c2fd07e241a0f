import type { Direction, Side } from './orders/side.ts'

/** Order type and prices; prices in quote per base, rounded to the grid by risk. */
export type OrderWish =
  /** Trade at once, at the market price. */
  | { readonly type: 'market' }
  /** Trade at `price` or better. */
  | LimitWish
  /**
   * Become a market order when the price reaches `stopPrice` (from below for a buy, from above for a sell).
   */
  | ({ readonly type: 'stop'; readonly stopPrice: number } & MayTriggerAtOnce)
  /** Become a limit order at `price` when the price reaches `stopPrice`. */
  | ({ readonly type: 'stopLimit'; readonly stopPrice: number; readonly price: number } & MayTriggerAtOnce)
  /**
   * Become a market order when the price returns to `triggerPrice` (from above for a buy, from below for a
   * sell).
   */
  | ({ readonly type: 'ifTouched'; readonly triggerPrice: number } & MayTriggerAtOnce)

/** Options of orders that wait for a price. */
interface MayTriggerAtOnce {
  /**
   * True lets an entry trade if the latest price is already at or beyond its trigger price; otherwise such an
   * entry is denied. Exits always may. Default: false.
   */
  readonly triggerAtOnce?: boolean
}

/** A limit order at `price` or better. */
export interface LimitWish {
  readonly type: 'limit'
  readonly price: number
  /**
   * `GTC` (the default) rests until it is canceled; `IOC` cancels the part that does not trade at once; `FOK`
   * trades completely at once or not at all.
   */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK'
  /** True makes it maker only: it rests or is canceled, but never takes from the book. Default: false. */
  readonly postOnly?: boolean
}

/**
 * Longest time that an order may rest after its decision: it is canceled at the first close of a kline at or
 * after its end.
 */
export type TimeToLive =
  /** Number of klines of the strategy's interval, a whole number above 0. */
  | { readonly klines: number }
  /** Milliseconds of market time, above 0. */
  | { readonly ms: number }

/** Size of an order. Exactly one key; all finite and above 0 (a `target` may be negative: short). */
export type Size =
  /** Money to spend or to receive, in quote. */
  | { readonly quote: number }
  /** Base units. */
  | { readonly base: number }
  /** A fraction of equity (0.5 is half of it), fees included. */
  | { readonly equityFraction: number }
  /**
   * Fraction of equity, above 0 and below 1, that is lost if the stop-loss fills at its price, without fees; needs a `stopLoss`.
   * `maxEquityFraction` limits the notional to that fraction of equity, and on an account without borrowing
   * to its free balance.
   */
  | { readonly riskFraction: number; readonly maxEquityFraction?: number | undefined }

/** Size of a target or a quote. */
export type PlainSize = Exclude<Size, { readonly riskFraction: number }>

/** A price, or a distance from the entry's fill price as a fraction of it (0.01 is 1%). */
export type PriceOrFraction = number | { readonly fraction: number }

/** Distance of a trailing stop from the best price since entry. Exactly one key; all above 0. */
export type TrailingDistance =
  /** In quote per base. */
  | { readonly distance: number }
  /** Fraction of the entry price: the distance is constant. */
  | { readonly fraction: number }
  /** Fraction of the best price, below 1: the distance changes with the best price. */
  | { readonly callbackRate: number }

/** A stop that follows the best price since entry. */
export type TrailingStop = TrailingDistance & {
  /**
   * The stop is inactive until the price reaches this level: a price, or a profit as a fraction of the entry
   * price. A level that the market has already reached activates it at once. That of an entry must lie on the
   * profit side of its price. Default: active from the entry.
   */
  readonly activation?: PriceOrFraction
}

/** A part of a position with its own take-profit level. */
export interface TakeProfitPart {
  readonly at: PriceOrFraction
  /** Fraction of the entry's quantity, above 0; all parts together at most 1. */
  readonly fraction: number
}

/** Take-profit levels of a position: one for all of it, or several for parts. */
export type TakeProfit = PriceOrFraction | readonly TakeProfitPart[]

/** Protection of a position from the fill of its entry on. */
export interface Protection {
  /** Stop order that limits the loss. */
  readonly stopLoss?: PriceOrFraction
  /** Close at a profit: the bot sends them at their price once the market is there, so they take. */
  readonly takeProfit?: TakeProfit
  /** Stop order that follows the best price since entry; of several, the nearest applies. */
  readonly trailingStop?: TrailingStop | readonly TrailingStop[]
}

/** Instrument of a signal. */
interface OfMarket<Role extends string> {
  /** A role of the strategy's `markets`; default: its own instrument. */
  readonly market?: Role
}

/**
 * Open a position, at market or at a price. Has no effect while a position in that direction is open, unless
 * `scaleIn`.
 */
export interface EnterSignal<Role extends string = never> extends OfMarket<Role>, Protection {
  readonly type: 'enter'
  readonly direction: Direction
  /** Default: market. */
  readonly order?: OrderWish
  /** Default: the configured size. */
  readonly size?: Size
  /** Add to a position that is open in the same direction. Default: false. */
  readonly scaleIn?: boolean
  /** For resting orders. */
  readonly expiresAfter?: TimeToLive
  /**
   * Entries of one decision with the same name form an OCO group: the first fill, also a partial one, cancels
   * the others. For resting orders.
   */
  readonly oco?: string
  /**
   * True keeps the order when a later decision enters, unless that enters with the same tag. For resting
   * orders. Default: false.
   */
  readonly keep?: boolean
  readonly tag?: string
}

/** Close a position, or a part of it. */
export interface ExitSignal<Role extends string = never> extends OfMarket<Role> {
  readonly type: 'exit'
  /** Side to close, if a futures account holds both; default: all. */
  readonly direction?: Direction
  /** Part of the position, above 0 and at most 1; default 1. */
  readonly fraction?: number
  /** Default: market. */
  readonly order?: OrderWish
  /** For resting orders. */
  readonly expiresAfter?: TimeToLive
  readonly tag?: string
}

/** Change the position to a size, whatever it is now: positive long, negative short, zero flat. */
export interface TargetSignal<Role extends string = never> extends OfMarket<Role>, Protection {
  readonly type: 'target'
  readonly size: PlainSize
  /** Default: market. */
  readonly order?: Extract<OrderWish, { type: 'market' | 'limit' }>
  readonly tag?: string
}

/** Cancel resting entry orders; with `tag` only those with this tag. Protective orders stay. */
export interface CancelEntriesSignal<Role extends string = never> extends OfMarket<Role> {
  readonly type: 'cancelEntries'
  readonly tag?: string
}

/**
 * Change the protection of a position: each given kind is replaced, or removed by `'none'`; the others stay.
 * Fractions refer to the entry price; a new trailing stop follows the best price since the entry.
 */
export interface ProtectSignal<Role extends string = never> extends OfMarket<Role> {
  readonly type: 'protect'
  readonly stopLoss?: PriceOrFraction | 'none'
  readonly takeProfit?: TakeProfit | 'none'
  readonly trailingStop?: TrailingStop | readonly TrailingStop[] | 'none'
  /** Only positions of entries with this tag; default: all. */
  readonly tag?: string
}

/** One resting limit order. */
export interface QuoteWish {
  readonly side: Side
  /** Quote per base; rounded to the grid away from the market. */
  readonly price: number
  /** Resting quantity: a partly filled quote counts with its rest. */
  readonly size: PlainSize
  /** True makes it maker only: it rests or is canceled, but never takes from the book. Default: true. */
  readonly postOnly?: boolean
  /** True limits it to closing the position. Default: false; a sell on a spot account always does. */
  readonly reduceOnly?: boolean
  readonly tag?: string
}

/**
 * The complete ladder of quotes under a name; an empty one cancels all. An order at the same price with the
 * same quantity keeps its place in the queue; an order that is no longer wanted is canceled; a changed one is
 * placed once the order that it replaces has ended.
 */
export interface QuotesSignal<Role extends string = never> extends OfMarket<Role> {
  readonly type: 'quotes'
  /** In order of priority: position and money go to the first ones. Every buy must be below every sell. */
  readonly quotes: readonly QuoteWish[]
  /** Name of the ladder; other ladders are unchanged. Default: one ladder without a name. */
  readonly name?: string
  /**
   * Relative difference in quantity up to which a resting order is left unchanged; 0 to below 1. Default:
   * 0.01.
   */
  readonly tolerance?: number
}

/**
 * A strategy's opinion or order wish. Entries of one decision replace the resting entries of earlier
 * decisions, except those with `keep`.
 */
export type Signal<Role extends string = never> =
  | EnterSignal<Role>
  | ExitSignal<Role>
  | TargetSignal<Role>
  | CancelEntriesSignal<Role>
  | ProtectSignal<Role>
  | QuotesSignal<Role>
