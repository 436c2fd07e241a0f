/** The latest price of an instrument, its best prices and its last 24 hours; as read, hence `number`. */
export interface Ticker {
  /** ms UTC. */
  readonly time: number
  /** Quote per base, as all prices here. */
  readonly last: number
  /** `undefined` where nobody bids, or where it is not told. */
  readonly bid: number | undefined
  readonly ask: number | undefined
  /** Of the last 24 hours. */
  readonly high: number
  readonly low: number
  /** Base of the last 24 hours; contracts on futures. */
  readonly volume: number
}
