import type { Market } from '../delivery/market-subscription.ts'

/** The price of the latest trade, as a ticker told it. */
export interface LastPrice {
  /** Quote per base. */
  readonly price: number
  /** When the ticker was asked for, ms UTC. */
  readonly askedAt: number
}

/** What tickers tell the kline streams: whether a market has gone on since a kline. */
export class LastPrices {
  readonly #prices = new Map<string, LastPrice>()

  /** A ticker has come. */
  saw(market: Market, symbol: string, lastPrice: LastPrice): void {
    this.#prices.set(`${market} ${symbol}`, lastPrice)
  }

  /** The latest one; `undefined` where nobody follows the ticker. */
  of(market: Market, symbol: string): LastPrice | undefined {
    return this.#prices.get(`${market} ${symbol}`)
  }
}
