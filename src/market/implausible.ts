import { Decimal } from '../domain/numbers/decimal.ts'
import type { FuturesTicker } from '../exchange/futures/futures-ticker.ts'
import type { ExchangeIndexPrice } from '../exchange/futures/index-price.ts'
import type { ExchangeDepth } from '../exchange/spot/depth.ts'
import type { ExchangeTicker } from '../exchange/spot/ticker.ts'
import type { ExchangeTrade } from '../exchange/spot/trade.ts'

// Each function describes an impossible value, worded to follow the name of the datum; `undefined` if all
// values are possible.

const ONE = new Decimal(1)

/**
 * Requires a positive last price, and a bid not above the ask. The last price may lie outside the day's low
 * and high: they may be older, and a crash makes new lows.
 */
export function tickerProblem(ticker: ExchangeTicker | FuturesTicker): string | undefined {
  const { last, high, low, bid, ask } = ticker
  if (!isPositive(last)) return `its last price is ${last}`
  // Both may be 0 for a pair without a trade in 24 hours.
  if (low?.isNegative() || high?.isNegative()) return `its low is ${low} and its high ${high}`
  if (low !== undefined && high !== undefined && low.greaterThan(high))
    return `its low of ${low} is above its high of ${high}`
  if (bid?.isNegative() || ask?.isNegative()) return `its bid is ${bid} and its ask ${ask}`
  if (bid !== undefined && ask !== undefined && bid.greaterThan(ask))
    return `its bid of ${bid} is above its ask of ${ask}`
  return undefined
}

/** Requires positive prices, no negative quantity, and a best bid not above the best ask. */
export function depthProblem({ bids, asks }: ExchangeDepth): string | undefined {
  for (const { price, quantity } of [...bids, ...asks]) {
    if (!isPositive(price)) return `it has a price of ${price}`
    if (quantity.isNegative()) return `it has a quantity of ${quantity}`
  }
  const [bid, ask] = [bids[0]?.price, asks[0]?.price]
  return bid !== undefined && ask !== undefined && bid.greaterThan(ask)
    ? `its bid of ${bid} is above its ask of ${ask}`
    : undefined
}

/** Requires a positive price and quantity. */
export function tradeProblem({ price, quantity }: ExchangeTrade): string | undefined {
  if (!isPositive(price)) return `its price is ${price}`
  return isPositive(quantity) ? undefined : `its quantity is ${quantity}`
}

/** Requires positive prices, and a funding rate of at most the whole position. */
export function indexPriceProblem(read: ExchangeIndexPrice): string | undefined {
  const { indexPrice, markPrice, lastFundingRate, nextFundingRate = lastFundingRate } = read
  if (!isPositive(markPrice)) return `its mark price is ${markPrice}`
  if (!isPositive(indexPrice)) return `its index price is ${indexPrice}`
  const odd = [lastFundingRate, nextFundingRate].find(rate => rate.abs().greaterThan(ONE))
  return odd && `its funding rate is ${odd}`
}

function isPositive(price: Decimal): boolean {
  return price.isPositive() && !price.isZero()
}
