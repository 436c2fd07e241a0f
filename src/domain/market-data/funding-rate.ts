/** A rate at which the funding of a contract was settled; as read, hence `number`. */
export interface FundingRate {
  /** Of the settlement, ms UTC. */
  readonly time: number
  /** Fraction of a position's worth that longs paid to shorts. */
  readonly rate: number
}
