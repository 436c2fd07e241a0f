import type { Amount } from '../numbers/amount.ts'
import type { Ticks } from '../numbers/grid.ts'
import type { OrderWish, Protection, TimeToLive } from '../signal.ts'
import type { Side } from './side.ts'

export type Purpose =
  | 'entry'
  | 'exit'
  | 'stopLoss'
  | 'takeProfit'
  | 'trailingStop'
  | 'endOfData'
  | 'ruin'
  /** Not our order: the exchange liquidates a position. */
  | 'liquidation'
  /** Not our order: others have closed a position, or nothing proves that the exchange did. */
  | 'outsideClose'
  | 'operator'

/** True for a close without an order of ours. */
export function isForcedClose(purpose: Purpose): boolean {
  return purpose === 'liquidation' || purpose === 'outsideClose'
}

/** True for what closes a position because nothing is played any more: the data ended, or the account is ruined. */
export function isEndOfRun(purpose: Purpose): boolean {
  return purpose === 'endOfData' || purpose === 'ruin'
}

/**
 * An order wish, or the one type that only protection uses: a stop that follows the best price since
 * `anchor`.
 */
export type OrderPlan = OrderWish | TrailingStopPlan

/** A trailing stop, in quote per base. It is inactive until the best price reaches `activationPrice`. */
export type TrailingStopPlan = {
  readonly type: 'trailingStop'
  readonly anchor: number
  readonly activationPrice?: number | undefined
} & ({ readonly distance: number } | { readonly callbackRate: number })

/** Terms of a resting order besides its prices. */
export interface OrderTerms {
  readonly expiresAfter?: TimeToLive | undefined
  /**
   * Name of its OCO group, unique per decision: the first fill of an entry in the group cancels the others.
   */
  readonly oco?: string | undefined
  /** True if it stays when a later decision enters. */
  readonly keep?: boolean | undefined
  /** Name of its ladder of quotes; empty for the unnamed one. */
  readonly quotes?: string | undefined
}

/** Executed at once, at the market price. */
export const AT_MARKET = { type: 'market' } as const satisfies OrderPlan

/** A sized wish, not yet rounded to the grid and not yet approved. */
export interface OrderIntent {
  readonly clientOrderId: string
  readonly strategy: string
  readonly symbol: string
  /** Book of its position: positions of one symbol in different books never net. Default: the symbol. */
  readonly book?: string | undefined
  readonly side: Side
  readonly purpose: Purpose
  readonly plan: OrderPlan
  /** Base units, exact, not yet rounded to steps. */
  readonly quantity: Amount
  /** True if it may only reduce a position. */
  readonly reduceOnly: boolean
  /** Protective orders to attach when this entry fills. */
  readonly protection?: Protection | undefined
  /** The clientOrderId of the entry whose position this order protects. */
  readonly protects?: string | undefined
  readonly terms?: OrderTerms | undefined
  readonly tag?: string | undefined
  /** Market time of the decision, ms UTC. */
  readonly decidedAt: number
  /**
   * Latest price at the decision, for checks of orders without a price. 0 before the first price, in a denial
   * only.
   */
  readonly referencePrice: Ticks
}

/** The fields of an order that stay as they are when it is put on the grid. */
export type OrderFields = Omit<OrderIntent, 'plan' | 'quantity'>
