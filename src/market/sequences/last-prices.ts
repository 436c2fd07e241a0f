import type { Market } from '../market-subscription.ts'

/** Price of the latest trade, from a ticker. */
export interface LastPrice {
  /** Quote per base. */
  readonly price: number
  /** Time of the ticker request, ms UTC. */
  readonly askedAt: number
}

/** Last prices, by which kline streams detect that a market has moved on since a kline. */
export class LastPrices {
  readonly #prices = new Map<string, LastPrice>()

  saw(market: Market, symbol: string, lastPrice: LastPrice): void {
    this.#prices.set(`${market} ${symbol}`, lastPrice)
  }

  /** The latest price; `undefined` without a ticker subscription. */
  of(market: Market, symbol: string): LastPrice | undefined {
    return this.#prices.get(`${market} ${symbol}`)
  }
}
