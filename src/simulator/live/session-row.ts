import type { Side } from '../../domain/orders/side.ts'
import type { FillEvidence } from '../../matching/fill-evidence.ts'
import type { QueueAssumption } from '../../matching/queue-position.ts'
import type { MatchingKind } from '../../matching/working-order.ts'

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
      readonly arrivesAt: number
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

/** Rules of all observed markets of an exchange. */
export interface LiveRules {
  readonly queue: QueueAssumption
  /** When an order or cancel that is sent at a time (ms UTC) reaches the market. */
  readonly arrivalAt: (now: number) => number
  /** Takes each row of the session. */
  readonly note: (row: SessionRow) => void
}
