import type { Amount } from '../numbers/amount.ts'
import type { Ticks } from '../numbers/grid.ts'
import type { OrderWish, Protection, TimeToLive } from '../signal.ts'
import type { Side } from './side.ts'

/** Why an order exists. */
export type Purpose =
  | 'entry'
  | 'exit'
  | 'stopLoss'
  | 'takeProfit'
  | 'trailingStop'
  | 'endOfData'
  | 'ruin'
  /** Not ours: the exchange takes a position over that its money no longer backs. */
  | 'liquidation'
  | 'operator'

/** An order wish, plus the one type only protection uses: a stop that follows the best price since `anchor`. */
export type OrderPlan = OrderWish | TrailingStopPlan

/** A trailing stop, in quote per base. It does not exist before the best price is at or beyond `activationPrice`. */
export type TrailingStopPlan = {
  readonly type: 'trailingStop'
  readonly anchor: number
  readonly activationPrice?: number | undefined
} & ({ readonly distance: number } | { readonly callbackRate: number })

/** What an order that rests may be told beside its prices. */
export interface OrderTerms {
  readonly expiresAfter?: TimeToLive | undefined
  /** Name of its group, unique per decision: the first entry of a group that fills cancels the others. */
  readonly oco?: string | undefined
  /** Whether it stays when a later decision enters. */
  readonly keep?: boolean | undefined
  /** Name of the set of quotes that it belongs to; empty for the one without a name. */
  readonly quotes?: string | undefined
}

/** Traded at once, at whatever the market gives. */
export const AT_MARKET = { type: 'market' } as const satisfies OrderPlan

/** A sized wish, not yet on the grid and not yet approved. */
export interface OrderIntent {
  readonly clientOrderId: string
  readonly strategy: string
  readonly symbol: string
  /** What holding it changes: positions of one symbol in different books never net. Default: the symbol. */
  readonly book?: string | undefined
  readonly side: Side
  readonly purpose: Purpose
  readonly plan: OrderPlan
  /** Base units, exact, not yet rounded to steps. */
  readonly quantity: Amount
  /** May only make a position smaller. */
  readonly reduceOnly: boolean
  /** What to attach once this entry fills. */
  readonly protection?: Protection | undefined
  /** The clientOrderId of the entry whose position this order protects. */
  readonly protects?: string | undefined
  readonly terms?: OrderTerms | undefined
  readonly tag?: string | undefined
  /** Market time of the decision, ms UTC. */
  readonly decidedAt: number
  /** Latest price known at the decision, for checks of orders that carry no price. 0 before the first price, in a denial only. */
  readonly referencePrice: Ticks
}
