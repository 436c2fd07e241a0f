import type { TradingHold } from '../domain/events/trading-hold.ts'
import type { Amount, Rate } from '../domain/numbers/amount.ts'

/** Largest number of orders per span of market time. */
export interface OrderRate {
  readonly count: number
  readonly perMs: number
}

/** A size in quote at the prices of the moment, or in base. */
export type PositionLimit = { readonly quote: Amount } | { readonly base: Amount }

/**
 * Limits of every order; `undefined` is unlimited. Reducing orders are never denied by them, except by the
 * price band.
 */
export interface RiskLimits {
  /** Largest distance of an order's own price from the latest one, as a fraction of that; protective orders have none. */
  readonly priceBandRate?: Rate | undefined
  /** Largest price × quantity of one order, in quote. */
  readonly maxNotional?: Amount | undefined
  /** Largest position of an instrument, with all possible fills. */
  readonly maxPosition?: PositionLimit | undefined
  /** Largest total exposure of all instruments of one quote asset, with all possible fills, in that asset. */
  readonly maxExposure?: Amount | undefined
  readonly maxOrders?: OrderRate | undefined
  /** Most orders that may work at once. */
  readonly maxWorkingOrders?: number | undefined
  /** No self-trades; a market order counts as reaching this fraction of the latest price beyond it. */
  readonly selfCrossingRate?: Rate | undefined
}

/** Effect of a protection: only exits pass, or only protective orders. */
interface Consequence {
  readonly mode: TradingHold['mode']
}

/** Conditions that hold trading; `undefined` disables one. Times are market time. */
export interface ProtectionRules {
  /**
   * A loss of this fraction of the equity at the day's start (UTC), realised or not; holds until the end of
   * the day.
   */
  readonly dailyLoss?: (Consequence & { readonly rate: Rate }) | undefined
  /** A fall by this fraction of the highest equity; holds for `pauseMs`, or until an operator resumes. */
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
