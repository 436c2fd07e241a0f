import type { Side } from '../../domain/orders/side.ts'

/** Times of a recorded row. */
interface RecordedAt {
  /** When the recorder had it, ms UTC by the exchange's clock as far as it is known; ascends over the rows of a symbol. */
  readonly localMs: number
  /** The exchange's time of it, ms UTC. */
  readonly time: number
}

/** A public trade; decimals are text as the exchange wrote them. */
export interface RecordedTrade extends RecordedAt {
  readonly id: string
  /** Quote per base. */
  readonly price: string
  /** Base, or contracts. */
  readonly quantity: string
  /** Side of the taker. */
  readonly side: Side
}

/** One price of a recorded order book, with its quantity. */
export type RecordedLevel = readonly [price: string, quantity: string]

/** An order book as far as it was read, best prices first. */
export interface RecordedBook extends RecordedAt {
  readonly bids: readonly RecordedLevel[]
  readonly asks: readonly RecordedLevel[]
}

/** Mark price, index price and funding rate of a contract. */
export interface RecordedIndex extends RecordedAt {
  readonly mark: string
  readonly index: string
  /** Fraction of the notional that longs pay to shorts at the next settlement. */
  readonly fundingRate: string
}

/** A span of which trades or books are missing. */
export interface RecordedGap {
  readonly localMs: number
  /** First and last missing ms, UTC. */
  readonly from: number
  readonly until: number
  /** One sentence. */
  readonly reason: string
}
