import type { Amount } from '../../domain/numbers/amount.ts'
import type { Steps } from '../../domain/numbers/grid.ts'
import type { Direction } from '../../domain/orders/side.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'

/** Coins of a position that open orders of others lock. */
export interface LockedCoins {
  readonly symbol: string
  readonly asset: string
  /** Base units that can be sold. */
  readonly free: Amount
  /** Base units at the exchange, free and locked. */
  readonly exchange: Amount
}

/** A difference between the exchange and the ledger. */
export type ReconciliationReport =
  /** A foreign open order; `isCanceled` if the configuration says so. */
  | { readonly type: 'foreignOrder'; readonly order: SpotOrder; readonly isCanceled: boolean }
  /** An own open order absent from the journal; it is canceled. */
  | { readonly type: 'leftoverOrder'; readonly order: SpotOrder }
  /** An order that another process placed under the name of this bot; it is not touched. */
  | { readonly type: 'namesakeOrder'; readonly order: SpotOrder }
  /**
   * An own open order that counted as ended; it is canceled, and its fills are booked unless the exchange had
   * refused it.
   */
  | { readonly type: 'lateOrder'; readonly order: SpotOrder }
  /** A trade of an order that is not ours. */
  | { readonly type: 'foreignTrade'; readonly trade: OwnTrade }
  /** A balance that own trades do not explain; the exchange's value is adopted. */
  | {
      readonly type: 'balanceAdjusted'
      readonly asset: string
      readonly ledger: Amount
      readonly exchange: Amount
      /**
       * `trades`: others traded the asset on our account. `transfer`: moved in or out without a trade.
       * `rounding`: the exchange counts with fewer decimals. `unlisted`: the exchange lists no transactions that
       * would tell. `unknown`: trades of others do not come to it, or nothing tells; in the futures account, instruments
       * backed by it are halted.
       */
      readonly cause: 'trades' | 'transfer' | 'rounding' | 'unlisted' | 'unknown'
    }
  /** Contracts were closed without an own order: by a liquidation, by foreign trades, or nothing proves by which. */
  | {
      readonly type: 'positionClosed'
      readonly symbol: string
      readonly direction: Direction
      readonly quantity: Steps
      readonly cause: 'liquidation' | 'trades' | 'unknown'
      /** True if its price is that at which it brought what it did, because the trades do not tell it. */
      readonly isPriceDerived: boolean
    }
  /** The spot account holds less of an asset than our positions consist of, and no sale is listed; its instruments halt at `until`, ms UTC, if none is listed until then. */
  | {
      readonly type: 'shortageAwaited'
      readonly asset: string
      /** Base units of our positions. */
      readonly held: Amount
      /** Base units at the exchange. */
      readonly exchange: Amount
      readonly until: number
    }
  /** Positions of the spot account are to be sold, and open orders of others lock coins of theirs. */
  | ({ readonly type: 'coinsLocked' } & LockedCoins)
  /** The cause of a halt has changed, or is over; the instrument stays halted. */
  | { readonly type: 'haltChanged'; readonly symbol: string; readonly reason: string }
  /** The exchange lists no transactions of the futures account, so that funding is derived; told once. */
  | { readonly type: 'transactionsUnlisted' }
  /** Others traded a contract, so that our position has another average entry price; the exchange's value is adopted. */
  | {
      readonly type: 'entryAdjusted'
      readonly symbol: string
      readonly direction: Direction
      readonly quantity: Steps
      /** Average entry prices, quote per base. */
      readonly ledger: Amount
      readonly exchange: Amount
    }
  /** An isolated position has another margin than our books; the exchange's value is adopted. */
  | {
      readonly type: 'marginAdjusted'
      readonly symbol: string
      readonly ledger: Amount
      readonly exchange: Amount
    }
