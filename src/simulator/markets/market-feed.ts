import { type Interval, intervalMs, openTimeOf } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { TopOfBook } from '../../domain/market-data/top-of-book.ts'
import type { Trade } from '../../domain/market-data/trade.ts'
import type { Grid } from '../../domain/numbers/grid.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { type GridKline, gridKlineOf } from '../prices/grid-kline.ts'
import type { MarketDrivers } from '../prices/market-drivers.ts'
import { type Print, printsOf } from '../prices/print.ts'
import type { Quotes } from '../prices/quotes.ts'
import { recordedPrints, recordedQuotes } from '../prices/recorded-ticks.ts'
import { type GeneratedMarket, generateKlines } from './kline-generator.ts'

const MINUTE = 60_000

/** Position of a feed, as plain data. */
export interface FeedPosition {
  /** Batches that were begun, the present one included. */
  readonly batches: number
  /** Prints of the present batch that were passed. */
  readonly prints: number
  /** Changes of the quotes that were begun, the present one included. */
  readonly quotes: number
  /** Start of the present batch, if there is one. */
  readonly begin: Pick<Print, 'time' | 'price'> | undefined
}

/** The prints of a market in order of time, and its best quotes if known; generated on demand. */
export class MarketFeed {
  readonly #batches: Iterator<readonly Print[]>
  readonly #quotes: Iterator<Quotes> | undefined
  #prints: readonly Print[] = []
  #index = 0
  #nextQuotes: Quotes | undefined
  #batchCount = 0
  #quoteCount = 0

  /**
   * Both ascend by time; a batch without prints ends the market. Goes on `from` a position of the same feed; then `begun`
   * batches before the present one are not among `batches`.
   */
  constructor(
    batches: Iterator<readonly Print[]>,
    { quotes, from, begun = 0 }: { quotes?: Iterator<Quotes>; from?: FeedPosition; begun?: number } = {},
  ) {
    this.#batches = batches
    this.#quotes = quotes
    this.#batchCount = begun
    do this.#refill()
    while (this.#batchCount < (from?.batches ?? 1))
    this.#index = from?.prints ?? 0
    do this.skipQuotes()
    while (this.#quoteCount < (from?.quotes ?? 1))
  }

  get position(): FeedPosition {
    const [begin] = this.#prints
    return {
      batches: this.#batchCount,
      prints: this.#index,
      quotes: this.#quoteCount,
      begin: begin && { time: begin.time, price: begin.price },
    }
  }

  /** The next print; `undefined` once the market has ended. */
  get next(): Print | undefined {
    return this.#prints[this.#index]
  }

  /** The next change of the best quotes; `undefined` where they are not known, or no longer. */
  get nextQuotes(): Quotes | undefined {
    return this.#nextQuotes
  }

  /** Skips the next print. */
  skip(): void {
    this.#index++
    if (this.#index >= this.#prints.length) this.#refill()
  }

  /** Skips the next quotes. */
  skipQuotes(): void {
    this.#nextQuotes = this.#quotes?.next().value
    this.#quoteCount++
  }

  #refill(): void {
    this.#prints = this.#batches.next().value ?? []
    this.#index = 0
    this.#batchCount++
  }
}

/** A market that repeats given klines (ascending) and then stands still; throws `UsageError` where they do not ascend. */
export function replayedFeed(
  grid: Grid,
  klines: readonly Kline[],
  interval: Interval,
  from?: FeedPosition,
): MarketFeed {
  return new MarketFeed(
    walked(ascending(grid, klines, interval), intervalMs(interval)),
    from === undefined ? {} : { from },
  )
}

/** A market that repeats recorded trades, and best quotes if there are any; both ascend by time, or it throws `UsageError`. */
export function recordedFeed(
  grid: Grid,
  trades: readonly Trade[],
  quotes: readonly TopOfBook[] = [],
  from?: FeedPosition,
): MarketFeed {
  return new MarketFeed(recordedPrints(grid, trades), {
    quotes: recordedQuotes(grid, quotes),
    ...(from !== undefined && { from }),
  })
}

/**
 * A market of generated klines that begins `historyKlines` minutes before the minute of `startTime` (ms UTC).
 * It resumes from a position without earlier data: a kline follows from its minute and its open.
 */
export function generatedFeed(
  grid: Grid,
  market: GeneratedMarket & { readonly historyKlines: number },
  drivers: MarketDrivers,
  startTime: number,
  from?: FeedPosition,
): MarketFeed {
  if (from?.begin !== undefined) {
    const { time, price } = from.begin
    const klines = generateKlines(grid, market, drivers, time, price)
    return new MarketFeed(walked(klines, MINUTE), { from, begun: from.batches - 1 })
  }
  const begin = openTimeOf(startTime, '1m') - market.historyKlines * MINUTE
  return new MarketFeed(walked(generateKlines(grid, market, drivers, begin), MINUTE))
}

function* walked(klines: Iterable<GridKline>, lengthMs: number): Generator<readonly Print[]> {
  for (const kline of klines) yield printsOf(kline, lengthMs)
}

function* ascending(grid: Grid, klines: readonly Kline[], interval: Interval): Generator<GridKline> {
  let earliest = Number.NEGATIVE_INFINITY
  for (const kline of klines) {
    if (kline.openTime < earliest) {
      throw new UsageError(
        `The kline that opens at ${kline.openTime} comes too early: klines of ${interval} must ascend without overlap.`,
      )
    }
    earliest = kline.openTime + intervalMs(interval)
    yield gridKlineOf(grid, kline)
  }
}
