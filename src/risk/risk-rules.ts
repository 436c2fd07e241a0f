import type { TradingHold } from '../domain/events/trading-hold.ts'
import type { Amount, Rate } from '../domain/numbers/amount.ts'

/** How many orders may be sent in how long, market time. */
export interface OrderRate {
  readonly count: number
  readonly perMs: number
}

/** A size in quote at the prices of the moment, or in base. */
export type PositionLimit = { readonly quote: Amount } | { readonly base: Amount }

/** Bounds that every order is held to; what is `undefined` is not bounded. Orders that only reduce are never refused by them, but for the price band. */
export interface RiskLimits {
  /** Largest distance of an order's own price from the latest one, as a fraction of that; protective orders have none. */
  readonly priceBandRate?: Rate | undefined
  /** Largest price × quantity of one order, in quote. */
  readonly maxNotional?: Amount | undefined
  /** Most that may be held of an instrument, everything filled that could be. */
  readonly maxPosition?: PositionLimit | undefined
  /** Most that all instruments of one quote asset may come to together, everything filled that could be, in that asset. */
  readonly maxExposure?: Amount | undefined
  readonly maxOrders?: OrderRate | undefined
  /** Most orders that may work at once. */
  readonly maxWorkingOrders?: number | undefined
  /** No trade with ourselves; a market order counts as reaching this fraction of the latest price beyond it. */
  readonly selfCrossingRate?: Rate | undefined
}

/** What a protection does: let only exits pass, or only what protects. */
interface Consequence {
  readonly mode: TradingHold['mode']
}

/** When to hold trading back; what is `undefined` does not watch. Times are market time. */
export interface ProtectionRules {
  /** A loss of this fraction of the equity at the day's start (UTC), realised or not; holds until the day is over. */
  readonly dailyLoss?: (Consequence & { readonly rate: Rate }) | undefined
  /** A fall by this fraction of the equity from its highest; holds for `pauseMs`, or until somebody resumes. */
  readonly drawdown?:
    | (Consequence & { readonly rate: Rate; readonly pauseMs?: number | undefined })
    | undefined
  /** So many losing trades one after the other, each from flat to flat. */
  readonly lossesInARow?: (Consequence & { readonly count: number; readonly pauseMs: number }) | undefined
  /** A stop-loss or trailing stop that traded. */
  readonly cooldownAfterStop?: (Consequence & { readonly pauseMs: number }) | undefined
  /** Silent market data; and, for `gapPauseMs`, klines that were missed. */
  readonly staleData?: (Consequence & { readonly gapPauseMs: number }) | undefined
  /** Our idea of the exchange's time may be off by more than this. */
  readonly clockUncertainty?: (Consequence & { readonly maxMs: number }) | undefined
  /** A spread above this fraction of the middle. */
  readonly spread?: (Consequence & { readonly maxRate: number }) | undefined
}

/** All risk rules of one scope: the account, or one strategy on one instrument. Plain data. */
export interface RiskRules {
  readonly limits?: RiskLimits | undefined
  readonly protections?: ProtectionRules | undefined
}
