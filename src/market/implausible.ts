import { Decimal } from '../domain/numbers/decimal.ts'
import type { FuturesTicker } from '../exchange/futures/futures-ticker.ts'
import type { IndexPrice } from '../exchange/futures/index-price.ts'
import type { Depth } from '../exchange/spot/depth.ts'
import type { Ticker } from '../exchange/spot/ticker.ts'
import type { Trade } from '../exchange/spot/trade.ts'

// Each says what no market can have about an entry, to be put behind its name; `undefined` for a possible one.

const ONE = new Decimal(1)

/**
 * The last price is positive, and the bid is not above the ask. Whether the last price lies between the day's low and high is
 * not asked: they may be told later than it, and a crash makes new lows.
 */
export function tickerProblem(ticker: Ticker | FuturesTicker): string | undefined {
  const { last, high, low, bid, ask } = ticker
  if (!isPositive(last)) return `its last price is ${last}`
  // A pair without a trade in 24 hours may have 0 for both.
  if (low.isNegative() || high.isNegative()) return `its low is ${low} and its high ${high}`
  if (low.greaterThan(high)) return `its low of ${low} is above its high of ${high}`
  if (bid?.isNegative() || ask?.isNegative()) return `its bid is ${bid} and its ask ${ask}`
  if (bid !== undefined && ask !== undefined && bid.greaterThan(ask))
    return `its bid of ${bid} is above its ask of ${ask}`
  return undefined
}

/** All prices are positive, no quantity is negative, and the best bid is not above the best ask. */
export function depthProblem({ bids, asks }: Depth): string | undefined {
  for (const { price, quantity } of [...bids, ...asks]) {
    if (!isPositive(price)) return `it has a price of ${price}`
    if (quantity.isNegative()) return `it has a quantity of ${quantity}`
  }
  const [bid, ask] = [bids[0]?.price, asks[0]?.price]
  return bid !== undefined && ask !== undefined && bid.greaterThan(ask)
    ? `its bid of ${bid} is above its ask of ${ask}`
    : undefined
}

/** Price and quantity are positive. */
export function tradeProblem({ price, quantity }: Trade): string | undefined {
  if (!isPositive(price)) return `its price is ${price}`
  return isPositive(quantity) ? undefined : `its quantity is ${quantity}`
}

/** Both prices are positive, and no funding takes more than the whole position. */
export function indexPriceProblem(read: IndexPrice): string | undefined {
  const { indexPrice, markPrice, lastFundingRate, nextFundingRate = lastFundingRate } = read
  if (!isPositive(markPrice)) return `its mark price is ${markPrice}`
  if (!isPositive(indexPrice)) return `its index price is ${indexPrice}`
  const odd = [lastFundingRate, nextFundingRate].find(rate => rate.abs().greaterThan(ONE))
  return odd && `its funding rate is ${odd}`
}

function isPositive(price: Decimal): boolean {
  return price.isPositive() && !price.isZero()
}
