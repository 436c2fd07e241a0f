/**
 * Index and mark price of a contract, with its announced funding rate; unrounded market data, hence `number`.
 */
export interface IndexPrice {
  /** ms UTC. */
  readonly time: number
  /** Quote per base; `undefined` if it is not recorded. */
  readonly index: number | undefined
  /** Quote per base. */
  readonly mark: number
  /** Announced rate of the next settlement: fraction of the notional that longs pay to shorts. */
  readonly fundingRate: number | undefined
}
