import type { Side } from '../domain/orders/side.ts'
import type { FillEvidence } from './fill-evidence.ts'
import type { QueueAssumption } from './queue-assumption.ts'
import type { ToldMinute } from './told-market.ts'
import type { MatchingKind } from './working-order.ts'

/** Something that happened to an order on an observed market, for the record of a session. Times are ms UTC. */
export type SessionRow =
  | {
      /** An order was accepted, and reaches the market at `arrivesAt`; decimals are text. */
      readonly type: 'order'
      readonly at: number
      readonly symbol: string
      readonly order: string
      readonly clientOrderId: string | undefined
      readonly side: Side
      readonly kind: MatchingKind
      readonly limit: string | undefined
      /** Base or contracts; `amount` in quote instead for a market buy. */
      readonly quantity: string | undefined
      readonly amount: string | undefined
      /** `undefined` for one that walks the latest book at once. */
      readonly arrivesAt: number | undefined
    }
  | {
      /** A cancel was accepted, and reaches the market at `arrivesAt`; `undefined` takes the order out at once. */
      readonly type: 'cancel'
      readonly at: number
      readonly symbol: string
      readonly order: string
      readonly arrivesAt: number | undefined
    }
  | {
      readonly type: 'fill'
      readonly at: number
      readonly symbol: string
      readonly order: string
      readonly side: Side
      readonly liquidity: 'maker' | 'taker'
      readonly price: string
      readonly quantity: string
      readonly evidence: FillEvidence
    }

/** A market of a session: its grid, and the fees of its fills as decimal text. */
export interface SessionMarket {
  readonly symbol: string
  readonly pricePrecision: number
  readonly quantityPrecision: number
  /** Decimal text; `undefined` on spot. */
  readonly contractSize: string | undefined
  readonly makerFeeRate: string
  readonly takerFeeRate: string
}

/** The start of a process of a session. */
export interface SessionStart {
  readonly type: 'start'
  readonly at: number
  /** True if the account of the process before it goes on; otherwise a new one begins. */
  readonly goesOn: boolean
  readonly queue: QueueAssumption
  /** Levels asked for with each order book. */
  readonly levels: number
  readonly markets: readonly SessionMarket[]
}

/** A recorded gap, with the minutes that judge it. */
export interface SessionGap {
  readonly type: 'gap'
  readonly at: number
  readonly symbol: string
  readonly from: number
  readonly until: number
  readonly reason: string
  readonly minutes: readonly ToldMinute[]
}
