import type { FuturesTerms } from './futures-terms.ts'
import type { Amount, Rate } from './numbers/amount.ts'
import type { Steps, Ticks } from './numbers/grid.ts'
import type { LimitKind } from './orders/order-request.ts'

/** Asset of fees: the asset received in the fill (spot), or always the quote (margined products). */
export type FeeAsset = 'received' | 'quote'

/** Fee rates of an instrument. */
export interface Fees {
  readonly maker: Rate
  readonly taker: Rate
  readonly paidIn: FeeAsset
}

/**
 * A spot account sells only assets that it holds; a margin account may be short and may borrow up to its
 * leverage; a futures account holds contracts, backed by quote only.
 */
export type AccountType = 'spot' | 'margin' | 'futures'

/**
 * A traded instrument, and its exchange's rules for orders. The grid is a power of ten: tickSize =
 * 10^-pricePrecision.
 */
export interface Instrument {
  /** `BASE/QUOTE`, upper case; `BASE/QUOTE@margin` if the same pair is also traded on spot. */
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
  /** Bounds of notional ÷ equity, or of a futures account's leverage setting; spot is 1 to 1. */
  readonly leverage: { readonly min: number; readonly max: number }
  readonly accountType: AccountType
  /**
   * Base of one contract, on a futures account: quantities are whole contracts, and 10^pricePrecision divides
   * the contract size.
   */
  readonly contractSize?: Amount | undefined
  /** Terms on a futures account. */
  readonly futures?: FuturesTerms | undefined
  /**
   * True for a margin account without borrowing: like a spot account, it sells and spends only its own
   * assets. It may sell base that it holds besides its positions.
   */
  readonly ownFundsOnly?: boolean | undefined
  /** Allowed kinds of limit orders besides resting ones; default: all. */
  readonly limitKinds?: readonly LimitKind[] | undefined
  /**
   * True if the exchange has no IOC orders for it: one is sent as a limit order, whose rest the bot cancels at
   * once.
   */
  readonly iocRests?: boolean | undefined
  readonly fees: Fees
  /**
   * Price limit of a live market order that is sent as a limit order, a fraction beyond its reference price:
   * the exchange reserves money for that limit. A backtest has none.
   */
  readonly maxSlippageRate?: number | undefined
}

/**
 * Properties of a pair on a margin account under the exchange interface: no borrowing, and only limit and
 * market orders, whose rest can be canceled at once.
 */
export const OWN_FUNDS = {
  accountType: 'margin',
  ownFundsOnly: true,
  limitKinds: ['ioc'],
} as const satisfies Partial<Instrument>

/** Unit of an instrument's quantities, or of one of them: `contract` of a single one. */
export function quantityUnit({ base, contractSize }: Instrument, quantity?: Steps): string {
  if (contractSize !== undefined) return quantity === 1 ? 'contract' : 'contracts'
  return base
}
