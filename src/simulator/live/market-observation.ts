import type { ToldBook, ToldMinute, ToldTrade } from '../../matching/told-market.ts'

/** A host's 24 hours of a market; decimals are text. */
export interface ToldDay {
  /** ms UTC. */
  readonly time: number
  readonly open: string
  readonly high: string
  readonly low: string
  readonly last: string
  /** Base, or contracts. */
  readonly volume: string
  /** Quote. */
  readonly amount: string
}

/** A host's rules of a market that have changed while it was followed; decimals are text. */
export interface ToldRules {
  readonly isTrading: boolean
  readonly pricePrecision?: number
  readonly quantityPrecision?: number
  readonly minPrice?: string
  readonly minQuantity?: string
  readonly minNotional?: string
  readonly makerFeeRate?: string
  readonly takerFeeRate?: string
}

/** One answer of a host about one market: a pair such as `BTC/USDT`, or a contract such as `E-BTC-USDT`. */
export type MarketObservation = { readonly symbol: string } & (
  | { readonly kind: 'book'; readonly book: ToldBook; readonly roundTripMs: number | undefined }
  | { readonly kind: 'trades'; readonly trades: readonly ToldTrade[] }
  | {
      /** Trades between two times (ms UTC) are unknown; whole minutes of the span, as far as the host has them. */
      readonly kind: 'gap'
      readonly from: number
      readonly until: number
      readonly reason: string
      readonly minutes: readonly ToldMinute[]
    }
  | { readonly kind: 'day'; readonly day: ToldDay }
  | {
      readonly kind: 'index'
      readonly mark: string
      readonly index: string
      readonly fundingRate: string
    }
  | { readonly kind: 'rules'; readonly rules: ToldRules }
)
