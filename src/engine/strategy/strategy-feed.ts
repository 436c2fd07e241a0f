import { closeTimeOf } from '../../domain/market-data/interval.ts'
import type { Datum } from '../../strategy/feeds/feeds.ts'
import type { FollowedFeed } from '../../strategy/feeds/followed-feeds.ts'
import type { FeedRun } from '../../strategy/strategy-run.ts'
import type { MarketTrader } from './market-trader.ts'

/** A feed as plain data; klines are fed again instead. */
export interface FeedState {
  readonly name: string
  /** Number of data shown. */
  readonly seen: number
  /** Its latest datum, if that is not a kline. */
  readonly latest?: Datum | undefined
}

/** A stream that one strategy follows beside the klines of its own instrument and interval. */
export class StrategyFeed {
  readonly followed: FollowedFeed
  /** Market of its instrument. */
  readonly market: MarketTrader
  readonly #run: FeedRun | undefined
  #seen = 0

  constructor(followed: FollowedFeed, market: MarketTrader, run: FeedRun | undefined) {
    this.followed = followed
    this.market = market
    this.#run = run
  }

  /** Klines to see before the first decision. */
  get warmUp(): number {
    return this.#run?.warmUp ?? 0
  }

  /** True once it has shown its warm-up. */
  get isWarm(): boolean {
    return this.#seen >= this.warmUp
  }

  /** Updates indicators, the latest datum, and the price of its instrument. */
  update(datum: Datum): void {
    this.#seen++
    this.#run?.update(datum)
    const price = priceIn(datum)
    if (price === undefined) return
    const { feed } = this.followed
    if (feed.type === 'klines' && 'openTime' in datum) {
      const closeTime = closeTimeOf(datum.openTime, feed.interval)
      this.market.view.observeClose(price, closeTime)
      this.market.bests.observeKline(datum, closeTime)
      return
    }
    this.market.view.price = price
    this.market.bests.observePrice(price)
  }

  /** Calls the strategy's handler. */
  show(datum: Datum): ReturnType<FeedRun['show']> {
    return this.#run?.show(datum)
  }

  snapshot(): FeedState {
    const { name = '', feed } = this.followed
    const latest = feed.type === 'klines' ? undefined : this.#run?.latest
    return { name, seen: this.#seen, ...(latest !== undefined && { latest }) }
  }

  /** Restores a snapshot, after its klines have been fed again. */
  restore({ seen, latest }: FeedState): void {
    this.#seen = seen
    if (latest !== undefined && this.#run !== undefined) this.#run.latest = latest
  }
}

/** Price in a datum, quote per base, if it has one. */
function priceIn(datum: Datum): number | undefined {
  if ('close' in datum) return datum.close
  if ('last' in datum) return datum.last
  if ('side' in datum) return datum.price
  if (!('bids' in datum)) return undefined
  const [bid, ask] = [datum.bids[0]?.price, datum.asks[0]?.price]
  return bid === undefined || ask === undefined ? undefined : (bid + ask) / 2
}
