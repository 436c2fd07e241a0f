/** Settled funding rate of a contract; unrounded market data, hence `number`. */
export interface FundingRate {
  /** Time of the settlement, ms UTC. */
  readonly time: number
  /** Fraction of the notional that longs paid to shorts. */
  readonly rate: number
}
