import type { MarketDataEvent } from '../../domain/market-data/market-data.ts'
import type { Ticker } from '../../domain/market-data/ticker.ts'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { DepthRead, IndexPriceRead, TickerRead, TradeSeen } from '../../market/market-event.ts'
import { SettledFunding } from './settled-funding.ts'
import type { StrategySubscriptions } from './strategy-subscriptions.ts'

/** Market data besides klines. */
export type DataRead = TickerRead | DepthRead | TradeSeen | IndexPriceRead

/** Turns reads into the events of declared feeds; other reads give none. */
export class FeedEvents {
  /** `type symbol` of each feed that shows no klines. */
  readonly #wanted: ReadonlySet<string>
  readonly #funding = new SettledFunding()

  constructor(followed: readonly StrategySubscriptions[]) {
    this.#wanted = new Set(
      followed.flatMap(({ feeds = [] }) => feeds.map(({ symbol, feed }) => `${feed.type} ${symbol}`)),
    )
  }

  /** `symbol` is the bot's name of the instrument; `now` is the exchange's time, ms UTC. */
  of(read: DataRead, symbol: string, now: number): readonly MarketDataEvent[] {
    switch (read.type) {
      case 'ticker':
        return this.#wants('ticker', symbol) ? [tickerSeen(read, symbol, now)] : NOTHING
      case 'depth': {
        if (!this.#wants('depth', symbol)) return NOTHING
        const { bids, asks, time } = read.depth
        const depth = { ...timeOf(time, now), bids: bids.map(level), asks: asks.map(level) }
        return [{ type: 'depthSeen', symbol, depth }]
      }
      case 'trade': {
        if (!this.#wants('trades', symbol)) return NOTHING
        const { time, price, quantity, side } = read.trade
        const trade = { time, price: price.toNumber(), quantity: quantity.toNumber(), side }
        return [{ type: 'publicTradeSeen', symbol, trade }]
      }
      case 'indexPrice':
        return this.#indexEvents(read, symbol, now)
    }
  }

  #indexEvents(
    { indexPrice: read }: IndexPriceRead,
    symbol: string,
    now: number,
  ): readonly MarketDataEvent[] {
    const { time = now, indexPrice: index, markPrice: mark, lastFundingRate, nextFundingRate } = read
    const settled = this.#wants('funding', symbol)
      ? this.#funding.observe(symbol, lastFundingRate.toNumber(), now)
      : NOTHING
    if (!this.#wants('indexPrice', symbol)) return settled
    const fundingRate = nextFundingRate?.toNumber()
    const indexPrice = { time, index: index.toNumber(), mark: mark.toNumber(), fundingRate }
    return [...settled, { type: 'indexPriceSeen', symbol, indexPrice }]
  }

  #wants(type: string, symbol: string): boolean {
    return this.#wanted.has(`${type} ${symbol}`)
  }
}

const NOTHING: readonly never[] = []

function level({ price, quantity }: { readonly price: Decimal; readonly quantity: Decimal }) {
  return { price: price.toNumber(), quantity: quantity.toNumber() }
}

/** Time of data; without one, that of its arrival, marked. */
function timeOf(time: number | undefined, now: number): Pick<Ticker, 'time' | 'isTimeOfArrival'> {
  return time === undefined ? { time: now, isTimeOfArrival: true } : { time }
}

function tickerSeen({ ticker: read }: TickerRead, symbol: string, now: number): MarketDataEvent {
  const { time, last, bid, ask, high, low, volume } = read
  const ticker = {
    ...timeOf(time, now),
    last: last.toNumber(),
    bid: bid?.toNumber(),
    ask: ask?.toNumber(),
    high: high?.toNumber(),
    low: low?.toNumber(),
    volume: volume?.toNumber(),
  }
  return { type: 'tickerSeen', symbol, ticker }
}
