/**
 * Kinds of impossible prices: `far` from the right ones by a factor, or `crossed`, the bid above the ask and
 * the low above the high.
 */
export type Oddity = 'zero' | 'negative' | 'far' | 'crossed'

/** Paths of public market data; prices of orders and positions stay as they are. */
const MARKET_DATA = /\/(ticker|ticker_all|klines|depth|trades|index)$/
/** Prices by the names that answers give them, with the number behind them. */
const NAMED_PRICE =
  /"(last|open|high|low|close|buy|sell|bidPrice|askPrice|price|markPrice|tagPrice|indexPrice)":("?)(-?\d+(?:\.\d+)?)\2/g
/** One side of an order book, and the price that begins a level. */
const BOOK_SIDE = /"(bids|asks)":\[(?:\[[^[\]]*\],?)*\]/g
const LEVEL_PRICE = /\[("?)(-?\d+(?:\.\d+)?)\1,/g

/** Factor for a crossed book by field: bids and lows rise, asks and highs fall. */
const CROSSING: Readonly<Record<string, number>> = {
  ...{ buy: 1.1, bidPrice: 1.1, bids: 1.1, low: 1.1 },
  ...{ sell: 0.9, askPrice: 0.9, asks: 0.9, high: 0.9 },
}

/** An answer of `path` with odd prices, where it has market data. */
export function withOddPrices(body: string, path: string, oddity: Oddity, factor: number): string {
  if (!MARKET_DATA.test(path)) return body
  const odd = (name: string, price: string) => oddPrice(price, oddity, factor, CROSSING[name] ?? 1)
  return body
    .replace(NAMED_PRICE, (_, name, quote, price) => `"${name}":${quote}${odd(name, price)}${quote}`)
    .replace(BOOK_SIDE, (side, name) =>
      side.replace(LEVEL_PRICE, (_, quote, price) => `[${quote}${odd(name, price)}${quote},`),
    )
}

function oddPrice(price: string, oddity: Oddity, factor: number, crossing: number): string {
  if (oddity === 'zero') return '0'
  if (oddity === 'negative') return `-${price}`
  const decimals = price.split('.')[1]?.length ?? 0
  return (Number(price) * (oddity === 'far' ? factor : crossing)).toFixed(decimals)
}
