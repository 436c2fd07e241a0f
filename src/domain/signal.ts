import type { Direction } from './side.ts'

/** How an order comes to the market; prices in quote per base, put on the grid by risk. */
export type OrderWish =
  /** Trade at once, at what the market offers. */
  | { readonly type: 'market' }
  /** Trade at `price` or better. */
  | { readonly type: 'limit'; readonly price: number }
  /** Become a market order once the price reaches `stopPrice` (from below for a buy, from above for a sell). */
  | { readonly type: 'stop'; readonly stopPrice: number }
  /** Become a limit order at `price` once the price reaches `stopPrice`. */
  | { readonly type: 'stopLimit'; readonly stopPrice: number; readonly price: number }

/** How much. Exactly one key; all finite and above 0 (a `target` may be negative: short). */
export type Size =
  /** Money to spend or to raise, in quote. */
  | { readonly quote: number }
  /** Base units. */
  | { readonly base: number }
  /** A fraction of equity (0.5 is half of it), fees included. */
  | { readonly equityFraction: number }
  /** The fraction of equity lost if the stop-loss is hit at its price; needs a `stopLoss`. */
  | { readonly riskFraction: number }

/** A price, or a distance from the entry's fill price as a fraction of it (0.01 is 1 %). */
export type PriceOrFraction = number | { readonly fraction: number }

/** A distance from the best price since entry: absolute in quote, or a fraction of the entry price. */
export type TrailingDistance = { readonly distance: number } | { readonly fraction: number }

/** What protects a position from the moment its entry fills. */
export interface Protection {
  /** Stop order that closes at a loss. */
  readonly stopLoss?: PriceOrFraction
  /** Limit order that closes at a profit. */
  readonly takeProfit?: PriceOrFraction
  /** Stop order that follows the best price since entry. */
  readonly trailingStop?: TrailingDistance
}

/** Open a position, or wait for a price to open it. Does nothing while a position in that direction is open, unless `scaleIn`. */
export interface EnterSignal extends Protection {
  readonly type: 'enter'
  readonly direction: Direction
  /** Default: market. */
  readonly order?: OrderWish
  /** Default: the size of the configuration. */
  readonly size?: Size
  /** Add to a position that is open in the same direction. Default: false. */
  readonly scaleIn?: boolean
  readonly tag?: string
}

/** Close what is open, or a part of it. */
export interface ExitSignal {
  readonly type: 'exit'
  /** Which side to close, where a futures account holds both; default: all that is open. */
  readonly direction?: Direction
  /** Part of the position, above 0 and at most 1; default 1. */
  readonly fraction?: number
  /** Default: market. */
  readonly order?: Extract<OrderWish, { type: 'market' | 'limit' }>
  readonly tag?: string
}

/** Bring the position to a size, whatever it is now: positive long, negative short, zero flat. */
export interface TargetSignal extends Protection {
  readonly type: 'target'
  readonly size: Exclude<Size, { readonly riskFraction: number }>
  /** Default: market. */
  readonly order?: Extract<OrderWish, { type: 'market' | 'limit' }>
  readonly tag?: string
}

/** Cancel entry orders that rest; those with `tag` only, where one is given. Protective orders stay. */
export interface CancelEntriesSignal {
  readonly type: 'cancelEntries'
  readonly tag?: string
}

/** A strategy's opinion or order wish. Entries of one decision replace the resting entries of earlier decisions. */
export type Signal = EnterSignal | ExitSignal | TargetSignal | CancelEntriesSignal
