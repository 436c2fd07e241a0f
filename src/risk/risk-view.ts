import type { TradingHold, TradingMode } from '../domain/events/trading-hold.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Amount } from '../domain/numbers/amount.ts'
import type { Ticks } from '../domain/numbers/grid.ts'
import type { Order } from '../domain/orders/order.ts'

/** Price and positions of an instrument: in all books together, or in some. */
export interface RiskMarketView {
  readonly instrument: Instrument
  /** Restricts positions to these books. */
  readonly books?: readonly string[] | undefined
  /** Latest price; `undefined` before the first. */
  readonly price: Ticks | undefined
  /** Long and short steps: different books may hold opposite positions. */
  readonly long: number
  readonly short: number
}

/** A strategy's own share of a market: the position in its books. */
export interface OwnMarketView extends RiskMarketView {
  readonly books: readonly string[]
}

/**
 * The account and the instrument at the moment of a decision, as seen by risk; each value is computed on
 * access.
 */
export interface RiskView {
  readonly instrument: Instrument
  /** Everything owned on all accounts, in quote, at the latest prices. */
  readonly equity: Amount
  /**
   * The quote balance of the instrument's account less the reserves of working orders; of a futures account,
   * also less the margin of remaining positions; of one of own funds, also less the cost of buying back its
   * shorts.
   */
  readonly freeQuote: Amount
  /** The base balance of the instrument's account, reservations included. */
  readonly ownedBase: Amount
  /** Signed steps of the instrument that all strategies together hold once the market orders on their way have traded; negative is short. */
  readonly projectedPosition: number
  /** Positions of the deciding strategy. */
  readonly own: OwnMarketView
  /** Orders of the account that can still trade, of every instrument. */
  readonly working: readonly Order[]
  /** Every instrument of the account. */
  readonly markets: readonly RiskMarketView[]
  /** Present trading mode. */
  readonly mode: TradingMode
  /** Reason why not everything may be traded. */
  readonly holds: readonly TradingHold[]
  /** True if the exchange lets the instrument be traded. */
  readonly isTradable: boolean
}
