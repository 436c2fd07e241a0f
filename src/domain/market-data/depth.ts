/** One price of an order book with its total quantity; unrounded market data, hence `number`. */
export interface DepthLevel {
  /** Quote per base. */
  readonly price: number
  /** Base; contracts on futures. */
  readonly quantity: number
}

/** An order book, best prices first on both sides. */
export interface Depth {
  /** ms UTC. */
  readonly time: number
  /** True if the exchange reports no time, and `time` is that of the arrival. */
  readonly isTimeOfArrival?: true
  readonly bids: readonly DepthLevel[]
  readonly asks: readonly DepthLevel[]
}
