/** A step of an order, as the bot saw it. */
export interface OrderStep {
  /** When the bot knew it, by its estimate of the exchange's time, ms UTC. */
  readonly time: number
  readonly what: string
  /** Since the request that it answers was sent, in ms of the venue's clock. */
  readonly latencyMs?: number
  readonly reason?: string
}

/** A fill of an order; exact text. */
export interface OrderFill {
  /** ms UTC. */
  readonly time: number
  readonly price: string
  readonly quantity: string
  readonly fee: string
  readonly liquidity: string
}

/** An order with everything that is known of it; changes as it goes on. */
export interface OrderRecord {
  readonly clientOrderId: string
  exchangeOrderId?: string
  readonly symbol: string
  readonly strategy: string
  readonly side: string
  readonly purpose: string
  readonly plan: string
  readonly tag?: string
  /** The quantity that it has now, or ended with, with its unit. */
  quantity: string
  /** Prices that it names, quote per base. */
  readonly prices: readonly number[]
  /** Of an order that protects: the entry. */
  readonly protects?: string
  /** When it was decided, ms UTC. */
  readonly decidedAt: number
  /** Number of the decision that it followed from; 0 if it is older than this history. */
  readonly decision: number
  status: string
  /** `bot`: it waits there for its price, or ended there, and was never sent to the exchange. */
  watchedBy?: 'bot'
  reason?: string
  filled: string
  /** When it was over, ms UTC. */
  endedAt?: number
  readonly steps: OrderStep[]
  readonly fills: OrderFill[]
}
