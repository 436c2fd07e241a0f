import { type Grid, roundToTicks, type Steps, steps, type Ticks, ticks } from '../../domain/numbers/grid.ts'
import { seededRandomAt } from '../../domain/numbers/seeded-random.ts'
import type { GridKline } from '../prices/grid-kline.ts'
import type { MarketDrivers, Shock } from '../prices/market-drivers.ts'
import { type Octave, smoothNoise } from '../prices/smooth-noise.ts'
import { LOWEST_TICKS } from '../prices/start-price.ts'
import { volatilityRegimeOf } from '../prices/volatility-regime.ts'

/** Parameters of a generated market. */
export interface GeneratedMarket {
  /** Quote per base. */
  readonly startPrice: number
  /** Standard deviation of a year's log return (0.6 is 60%). */
  readonly yearlyVolatility: number
  /** Typical volume of a minute of usual volatility, in base. */
  readonly volumePerMinute: number
}

const MINUTE = 60_000
const MINUTES_PER_YEAR = 525_600
/** Bound that keeps one draw from ending the market. */
const LARGEST_RETURN = 0.5
/** Part of a minute's deviation that shows as extremes between its prints, fitted to real ranges. */
const RANGE_SHARE = 0.8
/**
 * Logarithm of the volume apart from the effect of volatility, fitted to minutes of BTC/USDT and ETH/USDT.
 */
const VOLUME_NOISE: readonly Octave[] = [
  { minutes: 3, variance: 0.2 },
  { minutes: 15, variance: 0.15 },
  { minutes: 60, variance: 0.05 },
]
const VOLUME_DEVIATION = 0.3

/** Makes 1-minute klines without end, the first at `startTime` and, if it is given, from the price `first` on: fat-tailed, of clustered volatility, with volume that follows it. */
export function* generateKlines(
  grid: Grid,
  market: GeneratedMarket,
  { own, regime, shocks }: MarketDrivers,
  startTime: number,
  first?: Ticks,
): Generator<GridKline, never> {
  const [regimeAt, shockAt, pathAt] = [
    volatilityRegimeOf(regime),
    shockOf(shocks),
    seededRandomAt(`${own}/path`),
  ]
  const volumeNoise = smoothNoise(`${own}/volume`, VOLUME_NOISE)
  const usual = market.yearlyVolatility / Math.sqrt(MINUTES_PER_YEAR)
  let open = first ?? onGrid(grid, market.startPrice)
  for (let openTime = startTime; ; openTime += MINUTE) {
    const minute = openTime / MINUTE
    const path = pathAt(minute)
    const { volatility, burst } = regimeAt(minute)
    const surprise = burst * shockAt(minute)
    const change = bounded(usual * volatility * surprise, LARGEST_RETURN)
    const deviation = RANGE_SHARE * usual * volatility * Math.min(burst, 1.5)
    const close = moved(grid, open, change)
    const high = highest(moved(grid, open, furthest(change, deviation, path.uniform())), open, close)
    const low = lowest(moved(grid, open, -furthest(-change, deviation, path.uniform())), open, close)
    const noise = volumeNoise(minute) + VOLUME_DEVIATION * path.normal()
    const activity = volatility * (0.3 + Math.abs(surprise)) ** 0.6 * Math.exp(noise)
    yield { openTime, open, high, low, close, volume: volumeOf(grid, market.volumePerMinute * activity) }
    open = close
  }
}

/** Standard normal, from the values of its sources at a minute. */
function shockOf(shocks: readonly Shock[]): (minute: number) => number {
  const sources = shocks.map(({ seed, weight }) => ({ randomAt: seededRandomAt(`${seed}/shock`), weight }))
  return minute => sources.reduce((sum, { randomAt, weight }) => sum + weight * randomAt(minute).normal(), 0)
}

/** Highest point of a Brownian path from 0 to `change`, by its inverse distribution (Karatzas and Shreve, 2.8). */
function furthest(change: number, deviation: number, uniform: number): number {
  return (change + Math.sqrt(change ** 2 - 2 * deviation ** 2 * Math.log(uniform))) / 2
}

function moved(grid: Grid, price: Ticks, logReturn: number): Ticks {
  return onGrid(grid, (price / 10 ** grid.pricePrecision) * Math.exp(logReturn))
}

function highest(price: Ticks, open: Ticks, close: Ticks): Ticks {
  return ticks(Math.max(price, open, close))
}

function lowest(price: Ticks, open: Ticks, close: Ticks): Ticks {
  return ticks(Math.min(price, open, close))
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
