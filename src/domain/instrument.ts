import type { FuturesTerms } from './futures-terms.ts'
import type { Amount, Rate } from './numbers/amount.ts'
import type { Steps, Ticks } from './numbers/grid.ts'
import type { LimitKind } from './orders/order-request.ts'

/** Where a fee is taken from: the asset the fill brought in (spot), or always the quote (margined products). */
export type FeeAsset = 'received' | 'quote'

/** Fee rates of an instrument. */
export interface Fees {
  readonly maker: Rate
  readonly taker: Rate
  readonly paidIn: FeeAsset
}

/**
 * A spot account owns what it sells; a margin account may be short and may borrow up to its leverage; a futures account
 * holds contracts, and owns nothing but the quote that backs them.
 */
export type AccountType = 'spot' | 'margin' | 'futures'

/** What is traded, and the rules its exchange sets for orders. The grid is a power of ten: tickSize = 10^-pricePrecision. */
export interface Instrument {
  /** `BASE/QUOTE`, upper case; `BASE/QUOTE@margin` where the same pair is traded on spot besides. */
  readonly symbol: string
  readonly base: string
  readonly quote: string
  /** Decimals of a price. */
  readonly pricePrecision: number
  /** Decimals of a quantity. */
  readonly quantityPrecision: number
  readonly minPrice: Ticks
  readonly minQuantity: Steps
  /** Largest quantity of one order. */
  readonly maxQuantity: Steps
  /** Smallest price × quantity of one order, in quote. */
  readonly minNotional: Amount
  /** Bounds of exposure ÷ equity, or of what a futures account may choose; spot is 1 to 1. */
  readonly leverage: { readonly min: number; readonly max: number }
  readonly accountType: AccountType
  /** Base of one contract, on a futures account: its quantities are whole contracts, 10^pricePrecision of which divide it. */
  readonly contractSize?: Amount | undefined
  /** On a futures account. */
  readonly futures?: FuturesTerms | undefined
  /** On a margin account that owns what it sells and spends, as one of spot does: it may sell base that it holds besides its positions. */
  readonly ownFundsOnly?: boolean | undefined
  /** How limit orders may differ from those that rest; by default in every way. */
  readonly limitKinds?: readonly LimitKind[] | undefined
  readonly fees: Fees
  /**
   * How far beyond its price a running bot lets a market order trade that it sends as a limit order, a fraction: the exchange
   * freezes money for the price at that limit. A backtest has none.
   */
  readonly maxSlippageRate?: number | undefined
}

/** What a pair on a margin account is as far as the interface serves one: nothing can be borrowed, and nothing else is placed than limit and market orders, the rest of which can be canceled at once. */
export const OWN_FUNDS = {
  accountType: 'margin',
  ownFundsOnly: true,
  limitKinds: ['ioc'],
} as const satisfies Partial<Instrument>

/** What a quantity of an instrument counts. */
export function quantityUnit({ base, contractSize }: Instrument): string {
  return contractSize === undefined ? base : 'contracts'
}
