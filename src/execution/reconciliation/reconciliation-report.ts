import type { Amount } from '../../domain/numbers/amount.ts'
import type { Steps } from '../../domain/numbers/grid.ts'
import type { Direction } from '../../domain/orders/side.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'

/** Something that the exchange has and the ledger did not expect. */
export type ReconciliationReport =
  /** An open order of somebody else; `isCanceled` where the configuration says so. */
  | { readonly type: 'foreignOrder'; readonly order: SpotOrder; readonly isCanceled: boolean }
  /** An open order of ours of which the journal knows nothing; it is canceled. */
  | { readonly type: 'leftoverOrder'; readonly order: SpotOrder }
  /** An order that another process placed under the name of this bot; it is left alone. */
  | { readonly type: 'namesakeOrder'; readonly order: SpotOrder }
  /** An open order of ours that counted as over; it is canceled, and what it fills is booked unless the exchange had refused it. */
  | { readonly type: 'lateOrder'; readonly order: SpotOrder }
  /** A trade of an order that is not ours. */
  | { readonly type: 'foreignTrade'; readonly trade: OwnTrade }
  /** A balance that own trades do not explain; it is taken over. */
  | {
      readonly type: 'balanceAdjusted'
      readonly asset: string
      readonly ledger: Amount
      readonly exchange: Amount
      /** `trades`: others traded the asset on our account. `transfer`: nobody traded it, so it was moved in or out. `rounding`: the exchange counts with fewer decimals. `unknown`: what it backs is halted. */
      readonly cause: 'trades' | 'transfer' | 'rounding' | 'unknown'
    }
  /** Contracts were closed without an order of ours: by the exchange, which liquidates, or by trades of somebody else. */
  | {
      readonly type: 'positionClosed'
      readonly symbol: string
      readonly direction: Direction
      readonly quantity: Steps
      readonly cause: 'liquidation' | 'trades'
    }
  /** An isolated position has another margin than our books; it is taken over. */
  | {
      readonly type: 'marginAdjusted'
      readonly symbol: string
      readonly ledger: Amount
      readonly exchange: Amount
    }
