import type { Interval } from '../../domain/market-data/interval.ts'
import { priceOf, quantityOf } from '../../domain/numbers/grid.ts'
import { emptyColumns, type KlineColumns } from '../../klines/kline-columns.ts'
import { resampleKlines } from '../../klines/resample/resample-klines.ts'
import { generateKlines } from '../../simulator/markets/kline-generator.ts'
import { ownDrivers } from '../../simulator/prices/market-drivers.ts'

/** Venue of generated klines in the store; no exchange has this name. */
export const GENERATED_VENUE = 'generated'

/** Properties of a generated market. */
export interface GeneratedKlinesOptions {
  readonly symbol: string
  readonly interval: Interval
  /** First open time, ms UTC. */
  readonly from: number
  /** End of the open times (not included), ms UTC. */
  readonly to: number
  /** Seed; together with the symbol it determines all klines. */
  readonly seed: number
  /** Quote per base. */
  readonly startPrice: number
  /** Annual standard deviation of log returns (0.6 is 60%). */
  readonly yearlyVolatility: number
}

const MINUTE = 60_000
/** Minutes between reports of progress. */
const PROGRESS_EVERY = 10_000
const GRID = { pricePrecision: 2, quantityPrecision: 5 }
/** Base in an average minute. */
const VOLUME_PER_MINUTE = 10

/**
 * Klines of the simulated exchange's generated market, with fat tails and clustered volatility, and without
 * any exploitable pattern. `onMade` takes the number of minutes made so far, now and then.
 */
export function generatedKlines(
  options: GeneratedKlinesOptions,
  onMade: (minutes: number) => void = () => {},
): KlineColumns {
  const { symbol, interval, from, to, seed, startPrice, yearlyVolatility } = options
  const market = { startPrice, yearlyVolatility, volumePerMinute: VOLUME_PER_MINUTE }
  const minutes = emptyColumns(Math.ceil((to - from) / MINUTE))
  const made = generateKlines(GRID, market, ownDrivers(`${seed}/${symbol}`), from)
  for (let row = 0; row < minutes.length; row++) {
    if (row % PROGRESS_EVERY === 0) onMade(row)
    const { openTime, open, high, low, close, volume } = made.next().value
    minutes.openTime[row] = openTime
    minutes.open[row] = priceOf(GRID, open)
    minutes.high[row] = priceOf(GRID, high)
    minutes.low[row] = priceOf(GRID, low)
    minutes.close[row] = priceOf(GRID, close)
    minutes.volume[row] = quantityOf(GRID, volume)
  }
  if (interval === '1m') return minutes
  return resampleKlines(minutes, { from: '1m', to: interval, incomplete: 'drop' }).columns
}
