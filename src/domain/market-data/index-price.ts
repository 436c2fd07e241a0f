/** The prices that a contract is settled by, and its funding as announced; as read, hence `number`. */
export interface IndexPrice {
  /** ms UTC. */
  readonly time: number
  /** Quote per base; `undefined` where it is not recorded. */
  readonly index: number | undefined
  /** Quote per base. */
  readonly mark: number
  /** Fraction of a position's worth that longs pay to shorts at the coming settlement, as announced so far. */
  readonly fundingRate: number | undefined
}
