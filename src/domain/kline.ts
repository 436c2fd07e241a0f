/** One closed kline. Prices in quote per base, volume in base; statistics, hence `number`. */
export interface Kline {
  /** Open time, ms UTC. */
  readonly openTime: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}
