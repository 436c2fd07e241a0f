/**
 * The latest price of an instrument, its best prices and its last 24 hours; unrounded market data, hence
 * `number`.
 */
export interface Ticker {
  /** ms UTC. */
  readonly time: number
  /** True if the exchange reports no time, and `time` is that of the arrival. */
  readonly isTimeOfArrival?: true
  /** Quote per base, like all prices here. */
  readonly last: number
  /** `undefined` for an empty side, or if it is not reported. */
  readonly bid: number | undefined
  readonly ask: number | undefined
  /** Last 24 hours; `undefined` if it is not reported. */
  readonly high: number | undefined
  readonly low: number | undefined
  /** Base, last 24 hours; contracts on futures. `undefined` if it is not reported. */
  readonly volume: number | undefined
}
