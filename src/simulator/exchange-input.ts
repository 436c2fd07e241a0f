import type { FaultRuleInput } from './faults/fault-rule.ts'
import type { MarketObservation } from './live/market-observation.ts'
import type { ExchangeRequest } from './protocol/request-authentication.ts'

/** Every outside input of an exchange; its behaviour follows from these alone. Times are ms UTC. */
export type ExchangeInput =
  | { readonly type: 'advance'; readonly time: number }
  | {
      readonly type: 'request'
      readonly time: number
      readonly request: ExchangeRequest
      /** True after the transit delay of a fault. */
      readonly hasArrived: boolean
    }
  /** Facts from the host about a market of the type live. */
  | { readonly type: 'observe'; readonly time: number; readonly observation: MarketObservation }
  | { readonly type: 'setFault'; readonly time: number; readonly rule: FaultRuleInput }
  /** Without an id, all. */
  | { readonly type: 'liftFault'; readonly time: number; readonly id?: number | undefined }
  | ({ readonly type: 'deposit'; readonly time: number } & Deposit)
  | ({ readonly type: 'shock'; readonly time: number } & PriceShock)

/** Money from nowhere. */
export interface Deposit {
  readonly uid: number
  readonly asset: string
  /** Decimal text. */
  readonly amount: string
  readonly wallet: 'spot' | 'margin' | 'futures'
}

/** A jump of a market's reference price, which continues from there. */
export interface PriceShock {
  /** `BTC/USDT` in any spelling. */
  readonly symbol: string
  /** Decimal text. */
  readonly price: string
}
