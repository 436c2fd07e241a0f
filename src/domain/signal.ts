import type { Direction, Side } from './orders/side.ts'

/** How an order comes to the market; prices in quote per base, put on the grid by risk. */
export type OrderWish =
  /** Trade at once, at what the market offers. */
  | { readonly type: 'market' }
  /** Trade at `price` or better. */
  | LimitWish
  /** Become a market order once the price reaches `stopPrice` (from below for a buy, from above for a sell). */
  | ({ readonly type: 'stop'; readonly stopPrice: number } & MayTriggerAtOnce)
  /** Become a limit order at `price` once the price reaches `stopPrice`. */
  | ({ readonly type: 'stopLimit'; readonly stopPrice: number; readonly price: number } & MayTriggerAtOnce)
  /** Become a market order once the price comes back to `triggerPrice` (from above for a buy, from below for a sell). */
  | ({ readonly type: 'ifTouched'; readonly triggerPrice: number } & MayTriggerAtOnce)

/** For orders that wait for a price. */
interface MayTriggerAtOnce {
  /**
   * Whether an entry may also trade where the latest price is already at or beyond the price it waits for: such an entry is
   * denied otherwise. Exits always may. Default: false.
   */
  readonly triggerAtOnce?: boolean
}

/** An order that trades at `price` or better. */
export interface LimitWish {
  readonly type: 'limit'
  readonly price: number
  /** `GTC` (the default) rests until it is canceled; `IOC` cancels what does not trade at once; `FOK` trades all of it at once or nothing. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK'
  /** Rest or be canceled, but never take from the book. Default: false. */
  readonly postOnly?: boolean
}

/** How long an order may rest, counted from its decision: it is canceled at the first close of a kline at or after that. */
export type TimeToLive =
  /** So many klines of the strategy's interval, a whole number above 0. */
  | { readonly klines: number }
  /** Milliseconds of market time, above 0. */
  | { readonly ms: number }

/** How much. Exactly one key; all finite and above 0 (a `target` may be negative: short). */
export type Size =
  /** Money to spend or to raise, in quote. */
  | { readonly quote: number }
  /** Base units. */
  | { readonly base: number }
  /** A fraction of equity (0.5 is half of it), fees included. */
  | { readonly equityFraction: number }
  /**
   * The fraction of equity lost if the stop-loss is hit at its price, fees aside; needs a `stopLoss`. With `maxEquityFraction`
   * never more than that fraction of equity buys, nor than an account that cannot borrow has free.
   */
  | { readonly riskFraction: number; readonly maxEquityFraction?: number | undefined }

/** How much a target or a quote asks for. */
export type PlainSize = Exclude<Size, { readonly riskFraction: number }>

/** A price, or a distance from the entry's fill price as a fraction of it (0.01 is 1 %). */
export type PriceOrFraction = number | { readonly fraction: number }

/** How far a trailing stop stays behind the best price since entry. Exactly one key; all above 0. */
export type TrailingDistance =
  /** In quote per base. */
  | { readonly distance: number }
  /** A fraction of the entry price: the distance stays the same as the price moves. */
  | { readonly fraction: number }
  /** A fraction of the best price itself, below 1: the distance grows and shrinks with that. */
  | { readonly callbackRate: number }

/** A stop that follows the best price since entry. */
export type TrailingStop = TrailingDistance & {
  /**
   * The stop does not exist before the price has been there: a price, or a profit as a fraction of the entry price. A
   * price that the market is at or beyond already starts it at once. Of an entry it must be a profit. Default: it starts with the entry.
   */
  readonly activation?: PriceOrFraction
}

/** A part of a position that is closed at a profit of its own. */
export interface TakeProfitPart {
  readonly at: PriceOrFraction
  /** Part of what the entry bought or sold, above 0; all parts together at most 1. */
  readonly fraction: number
}

/** Where a position is closed at a profit: all of it at one price, or parts of it at several. */
export type TakeProfit = PriceOrFraction | readonly TakeProfitPart[]

/** What protects a position from the moment its entry fills. */
export interface Protection {
  /** Stop order that closes at a loss. */
  readonly stopLoss?: PriceOrFraction
  /** Limit orders that close at a profit. */
  readonly takeProfit?: TakeProfit
  /** Stop order that follows the best price since entry; of several, the nearest counts. */
  readonly trailingStop?: TrailingStop | readonly TrailingStop[]
}

/** Whose instrument a signal is about. */
interface OfMarket<Role extends string> {
  /** A role of the strategy's `markets`; default: its own instrument. */
  readonly market?: Role
}

/** Open a position, or wait for a price to open it. Does nothing while a position in that direction is open, unless `scaleIn`. */
export interface EnterSignal<Role extends string = never> extends OfMarket<Role>, Protection {
  readonly type: 'enter'
  readonly direction: Direction
  /** Default: market. */
  readonly order?: OrderWish
  /** Default: the size of the configuration. */
  readonly size?: Size
  /** Add to a position that is open in the same direction. Default: false. */
  readonly scaleIn?: boolean
  /** For orders that rest. */
  readonly expiresAfter?: TimeToLive
  /** Entries of one decision with the same name are one group: the first that fills, be it in part, cancels the others. For orders that rest. */
  readonly oco?: string
  /** Stay when a later decision enters, unless that enters with the same tag. For orders that rest. Default: false. */
  readonly keep?: boolean
  readonly tag?: string
}

/** Close what is open, or a part of it. */
export interface ExitSignal<Role extends string = never> extends OfMarket<Role> {
  readonly type: 'exit'
  /** Which side to close, where a futures account holds both; default: all that is open. */
  readonly direction?: Direction
  /** Part of the position, above 0 and at most 1; default 1. */
  readonly fraction?: number
  /** Default: market. */
  readonly order?: OrderWish
  /** For orders that rest. */
  readonly expiresAfter?: TimeToLive
  readonly tag?: string
}

/** Bring the position to a size, whatever it is now: positive long, negative short, zero flat. */
export interface TargetSignal<Role extends string = never> extends OfMarket<Role>, Protection {
  readonly type: 'target'
  readonly size: PlainSize
  /** Default: market. */
  readonly order?: Extract<OrderWish, { type: 'market' | 'limit' }>
  readonly tag?: string
}

/** Cancel entry orders that rest; those with `tag` only, where one is given. Protective orders stay. */
export interface CancelEntriesSignal<Role extends string = never> extends OfMarket<Role> {
  readonly type: 'cancelEntries'
  readonly tag?: string
}

/**
 * Change the protection of what is open: every kind that is named is replaced, or taken away by `'none'`; the others stay.
 * Fractions count from the price of the entry; a new trailing stop follows the best price since the entry.
 */
export interface ProtectSignal<Role extends string = never> extends OfMarket<Role> {
  readonly type: 'protect'
  readonly stopLoss?: PriceOrFraction | 'none'
  readonly takeProfit?: TakeProfit | 'none'
  readonly trailingStop?: TrailingStop | readonly TrailingStop[] | 'none'
  /** Only what entries with this tag opened; everything by default. */
  readonly tag?: string
}

/** One limit order that is to rest. */
export interface QuoteWish {
  readonly side: Side
  /** Quote per base; put on the grid away from the market. */
  readonly price: number
  /** What is to rest: a quote that filled in part counts as what is left of it. */
  readonly size: PlainSize
  /** Rest or be canceled, but never take from the book. Default: true. */
  readonly postOnly?: boolean
  /** Close what is held, and never more. Default: false; a sell on a spot account always does. */
  readonly reduceOnly?: boolean
  readonly tag?: string
}

/**
 * The complete set of quotes that are to rest under a name; an empty one takes all back. What rests at the same price with
 * the same quantity keeps its place in the queue; what is not wanted is canceled; what changed is placed once what it
 * replaces is over.
 */
export interface QuotesSignal<Role extends string = never> extends OfMarket<Role> {
  readonly type: 'quotes'
  /** In order of importance: what is held, and money, go to the first. Every buy must be below every sell. */
  readonly quotes: readonly QuoteWish[]
  /** Sets of other names are left alone. Default: one set without a name. */
  readonly name?: string
  /** By which part of its quantity what rests may differ and still be left alone; 0 to below 1. Default: 0.01. */
  readonly tolerance?: number
}

/** A strategy's opinion or order wish. Entries of one decision replace the resting entries of earlier decisions that are not to be kept. */
export type Signal<Role extends string = never> =
  | EnterSignal<Role>
  | ExitSignal<Role>
  | TargetSignal<Role>
  | CancelEntriesSignal<Role>
  | ProtectSignal<Role>
  | QuotesSignal<Role>
