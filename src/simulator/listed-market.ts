import type { Ticks } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import { type Interval, intervalMs } from '../domain/interval.ts'
import type { Account } from './account.ts'
import { BackgroundLiquidity, type QuotePlan } from './background-liquidity.ts'
import type { GridKline } from './grid-kline.ts'
import { KlineSeries } from './kline-series.ts'
import { generatedFeed, type MarketFeed, replayedFeed } from './market-feed.ts'
import { PrintTape } from './print-tape.ts'
import type { Listing } from './simulator-config.ts'
import { SpotMarket, type SpotMarketEvents } from './spot-market.ts'

/** Intervals whose klines the spot interface serves (section 4.1). */
const SERVED_INTERVALS = [
  '1m',
  '5m',
  '15m',
  '30m',
  '1h',
  '1d',
  '1w',
  '1M',
] as const satisfies readonly Interval[]

/** What a listed market is set up with. */
export interface ListedMarketSetup {
  readonly listing: Listing
  readonly seed: number
  /** The exchange's own account. */
  readonly house: Account
  readonly plan: QuotePlan
  /** Begins the range of the exchange's own order ids on this market. */
  readonly firstHouseId: bigint
  readonly events: SpotMarketEvents
}

/**
 * One instrument of the exchange: its prints come from klines alone, they make the public record (klines, trades, ticker),
 * and they drive the book. What users trade is too small to be seen in that record.
 */
export class ListedMarket {
  readonly instrument: Instrument
  readonly market: SpotMarket
  readonly tape = new PrintTape()
  readonly #klines: ReadonlyMap<Interval, KlineSeries>
  readonly #liquidity: BackgroundLiquidity
  readonly #openFeed: (now: number) => MarketFeed
  #feed: MarketFeed | undefined
  #quotedStep = 0

  constructor({ listing, seed, house, plan, firstHouseId, events }: ListedMarketSetup) {
    const { instrument, market } = listing
    this.instrument = instrument
    this.market = new SpotMarket(instrument, events)
    this.#liquidity = new BackgroundLiquidity(this.market, house, plan, firstHouseId)
    const source = market.type === 'klines' ? market.interval : '1m'
    const finer = (interval: Interval) => intervalMs(interval) < intervalMs(source)
    this.#klines = new Map(
      SERVED_INTERVALS.map(interval => [interval, new KlineSeries(interval, finer(interval))]),
    )
    this.#openFeed = now =>
      market.type === 'klines'
        ? replayedFeed(instrument, market.klines, market.interval)
        : generatedFeed(instrument, market, `${seed}/${instrument.symbol}`, now)
  }

  /** Price of the latest print. */
  get reference(): Ticks | undefined {
    return this.tape.newest?.price
  }

  /** When the next print is due, ms UTC; `undefined` before `open` and after the market's end. */
  get nextPrintAt(): number | undefined {
    return this.#feed?.next?.time
  }

  /** Opens the market at `now`, ms UTC: what its feed has before that is history. */
  open(now: number): void {
    this.#feed ??= this.#openFeed(now)
  }

  /** Plays the next print: the reference price moves, and what it trades through is filled. */
  playPrint(): void {
    const print = this.#feed?.next
    if (print === undefined) return
    this.#feed?.skip()
    this.tape.record(print)
    for (const series of this.#klines.values()) series.record(print)
    this.#liquidity.withdraw()
    this.#liquidity.tradeThrough(print.price, this.tape.count, print.time)
  }

  /** Quotes around the latest print, if that has not been done; only who looks at the book can tell when this happens. */
  refreshQuotes(): void {
    const newest = this.tape.newest
    if (newest === undefined || this.#quotedStep === this.tape.count) return
    this.#quotedStep = this.tape.count
    this.#liquidity.quote(newest.price, this.tape.count, newest.time)
  }

  /** Klines of an interval at `now` (ms UTC), newest first, the forming one included; none of an interval that is not served. */
  *klines(interval: Interval, now: number): Generator<GridKline> {
    const series = this.#klines.get(interval)
    series?.rollTo(now)
    if (series !== undefined) yield* series.newestFirst()
  }
}
