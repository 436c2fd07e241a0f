import type { Grid } from '../domain/grid.ts'
import { type Interval, intervalMs, openTimeOf } from '../domain/interval.ts'
import type { Kline } from '../domain/kline.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { type GridKline, gridKlineOf } from './grid-kline.ts'
import { type GeneratedMarket, generateKlines } from './kline-generator.ts'
import { type Print, printsOf } from './print.ts'
import { seededRandom } from './seeded-random.ts'

const MINUTE = 60_000

/** The prints of a market in order of time. */
export class MarketFeed {
  readonly #klines: Iterator<GridKline>
  readonly #lengthMs: number
  #prints: readonly Print[] = []
  #index = 0

  /** Walks the paths of klines that are `lengthMs` long, ascending. */
  constructor(klines: Iterator<GridKline>, lengthMs: number) {
    this.#klines = klines
    this.#lengthMs = lengthMs
    this.#refill()
  }

  /** The next print; `undefined` once the market has ended. */
  get next(): Print | undefined {
    return this.#prints[this.#index]
  }

  /** Goes on to the print after the next one. */
  skip(): void {
    this.#index++
    if (this.#index >= this.#prints.length) this.#refill()
  }

  #refill(): void {
    const { done, value } = this.#klines.next()
    this.#prints = done ? [] : printsOf(value, this.#lengthMs)
    this.#index = 0
  }
}

/** A market that repeats given klines (ascending) and then stands still; throws `UsageError` where they do not ascend. */
export function replayedFeed(grid: Grid, klines: readonly Kline[], interval: Interval): MarketFeed {
  return new MarketFeed(ascending(grid, klines, interval), intervalMs(interval))
}

/** A market of generated klines that begins `historyKlines` minutes before the minute of `startTime` (ms UTC). */
export function generatedFeed(
  grid: Grid,
  market: GeneratedMarket & { readonly historyKlines: number },
  seed: string,
  startTime: number,
): MarketFeed {
  const begin = openTimeOf(startTime, '1m') - market.historyKlines * MINUTE
  return new MarketFeed(generateKlines(grid, market, seededRandom(seed), begin), MINUTE)
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
