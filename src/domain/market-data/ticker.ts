/**
 * The latest price of an instrument, its best prices and its last 24 hours; unrounded market data, hence
 * `number`.
 */
export interface Ticker {
  /** ms UTC. */
  readonly time: number
  /** Quote per base, like all prices here. */
  readonly last: number
  /** `undefined` for an empty side, or if it is not reported. */
  readonly bid: number | undefined
  readonly ask: number | undefined
  /** Last 24 hours. */
  readonly high: number
  readonly low: number
  /** Base, last 24 hours; contracts on futures. */
  readonly volume: number
}
