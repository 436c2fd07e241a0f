/** Best bid and ask of a recorded market from a time on; unrounded market data, hence `number`. */
export interface TopOfBook {
  /** ms UTC. */
  readonly time: number
  /** Quote per base. */
  readonly bid: number
  /** Base. */
  readonly bidQuantity: number
  /** Quote per base. */
  readonly ask: number
  /** Base. */
  readonly askQuantity: number
}
