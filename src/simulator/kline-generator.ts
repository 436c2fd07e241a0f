import { type Grid, roundToTicks, type Steps, steps, type Ticks, ticks } from '../domain/grid.ts'
import type { GridKline } from './grid-kline.ts'
import type { SeededRandom } from './seeded-random.ts'

/** What a generated market looks like. */
export interface GeneratedMarket {
  /** Quote per base. */
  readonly startPrice: number
  /** Standard deviation of a year's log return (0.6 is 60 %). */
  readonly yearlyVolatility: number
  /** Mean volume of a quiet minute, in base. */
  readonly volumePerMinute: number
}

const MINUTE = 60_000
const MINUTES_PER_YEAR = 525_600
/** GARCH(1,1) of minute returns (Bollerslev 1986): variance follows its own past and the last shock. */
const SHOCK_WEIGHT = 0.06
const PERSISTENCE = 0.93
/** Bounds that keep a fat-tailed draw from ending the market. */
const LARGEST_RETURN = 0.1
const LARGEST_VARIANCE_RATIO = 50
/** The price never falls below this, so that prices keep some resolution. */
const LOWEST_TICKS = 100

/** Makes 1-minute klines without end, the first at `startTime`: fat-tailed, of clustered volatility, with volume that follows it. */
export function* generateKlines(
  grid: Grid,
  market: GeneratedMarket,
  random: SeededRandom,
  startTime: number,
): Generator<GridKline, never> {
  const usualVariance = market.yearlyVolatility ** 2 / MINUTES_PER_YEAR
  let variance = usualVariance
  let open = onGrid(grid, market.startPrice)
  for (let openTime = startTime; ; openTime += MINUTE) {
    const deviation = Math.sqrt(variance)
    const change = bounded(random.fatTailed() * deviation, LARGEST_RETURN)
    const close = onGrid(grid, (open / 10 ** grid.pricePrecision) * Math.exp(change))
    const high = stretched(grid, Math.max(open, close), Math.abs(random.normal()) * deviation * 0.5)
    const low = stretched(grid, Math.min(open, close), -Math.abs(random.normal()) * deviation * 0.5)
    const activity = 0.5 + Math.abs(change) / Math.sqrt(usualVariance) + variance / usualVariance / 2
    const volume = volumeOf(grid, market.volumePerMinute * activity * Math.exp(random.normal() * 0.4))
    yield { openTime, open, high, low, close, volume }
    variance = nextVariance(variance, change, usualVariance)
    open = close
  }
}

function nextVariance(variance: number, change: number, usualVariance: number): number {
  const base = usualVariance * (1 - SHOCK_WEIGHT - PERSISTENCE)
  const next = base + SHOCK_WEIGHT * change ** 2 + PERSISTENCE * variance
  return Math.min(next, usualVariance * LARGEST_VARIANCE_RATIO)
}

function stretched(grid: Grid, price: number, logDistance: number): Ticks {
  return onGrid(grid, (price / 10 ** grid.pricePrecision) * Math.exp(logDistance))
}

function onGrid(grid: Grid, price: number): Ticks {
  return ticks(Math.max(LOWEST_TICKS, roundToTicks(grid, price, 'nearest')))
}

function volumeOf(grid: Grid, volume: number): Steps {
  return steps(Math.round(volume * 10 ** grid.quantityPrecision))
}

function bounded(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value))
}
