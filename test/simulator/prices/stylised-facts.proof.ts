import { describe, expect, it } from 'vitest'
import { readKlineFile } from '../../../src/klines/formats/read-kline-file.ts'
import { klinesIn } from '../../../src/klines/kline-columns.ts'
import { generateKlines } from '../../../src/simulator/markets/kline-generator.ts'
import { ownDrivers } from '../../../src/simulator/prices/market-drivers.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'
import { START } from '../exchange-caller.ts'
import { type MarketFacts, marketFacts } from './market-facts.ts'

const GRID = { pricePrecision: 2, quantityPrecision: 5 }
const MINUTES_PER_YEAR = 525_600
const REAL = ['data', 'binance-btcusdt-1m.csv.gz']

function generated(seed: string, minutes: number, yearlyVolatility = 0.6) {
  const market = { startPrice: 60_000, yearlyVolatility, volumePerMinute: 10 }
  return generateKlines(GRID, market, ownDrivers(seed), START).take(minutes).toArray()
}

describe('a generated market', () => {
  it.each([0.2, 0.6, 1.5])('has a volatility of %d over a year', yearlyVolatility => {
    const { yearlyVolatility: measured } = marketFacts(generated('1/A', MINUTES_PER_YEAR, yearlyVolatility))
    // Days are alike for hours to days, so that a year is some hundred independent looks: a few percent of error.
    expect(measured / yearlyVolatility).toBeGreaterThan(0.88)
    expect(measured / yearlyVolatility).toBeLessThan(1.12)
  })

  it.each(['1/BTC/USDT', '2/BTC/USDT', '3/BTC/USDT'])('of the seed %s has the facts of real ones', seed => {
    const facts = marketFacts(generated(seed, 100_000))
    // R. Cont, "Empirical properties of asset returns" (2001): no linear memory beyond the bid-ask bounce of the first lags;
    // excess kurtosis of minutes far above that of days; a tail index from 2 to 5; absolute returns that remember for days,
    // with autocorrelations of 0.1 to 0.4 that decay as a power; volume that is correlated with all measures of volatility.
    for (const value of facts.memory) expect(Math.abs(value)).toBeLessThan(0.05)
    expect(facts.kurtosis).toBeGreaterThan(10)
    expect(facts.kurtosis).toBeLessThan(500)
    expect(facts.tailIndex).toBeGreaterThan(2)
    expect(facts.tailIndex).toBeLessThan(5)
    const [minute = 0, tenMinutes = 0, hour = 0, fourHours = 0] = facts.clustering
    expect(minute).toBeGreaterThan(0.2)
    expect(minute).toBeLessThan(0.5)
    expect([tenMinutes < minute, hour < tenMinutes, fourHours < hour]).toEqual([true, true, true])
    expect(hour).toBeGreaterThan(0.08)
    expect(fourHours).toBeGreaterThan(0.02)
    expect(facts.volumeWithMove).toBeGreaterThan(0.3)
    expect(facts.volumeWithMove).toBeLessThan(0.8)
    expect(facts.volumeMemory).toBeGreaterThan(0.3)
  })

  it('jumps at times, further than its hour would explain', () => {
    const returns = generated('1/A', 300_000).map(({ open, close }) => Math.abs(Math.log(close / open)))
    const jumps = returns.filter(
      (value, index) => value > 0.006 && value > 12 * deviationAround(returns, index),
    )
    // A hundred jumps of eight usual returns are expected, a sixth of which get this far; without them, some four minutes do.
    expect(jumps.length).toBeGreaterThan(9)
    expect(jumps.length).toBeLessThan(60)
  })

  it.skipIf(!hasShared(...REAL))('is like a real one', async () => {
    const { columns } = await readKlineFile(sharedPath(...REAL))
    const real = marketFacts(klinesIn(columns))
    const ours = marketFacts(generated('1/BTC/USDT', columns.length))
    // A month of fourth moments hangs on its few largest minutes, hence a factor; the rest is a matter of a few hundredths.
    expect(ours.kurtosis / real.kurtosis).toBeGreaterThan(1 / 6)
    expect(ours.kurtosis / real.kurtosis).toBeLessThan(6)
    expect(Math.abs(ours.tailIndex - real.tailIndex)).toBeLessThan(1)
    expect(distances(ours, real, 'clustering')).toBeLessThan(0.1)
    expect(distances(ours, real, 'memory')).toBeLessThan(0.05)
    expect(Math.abs(ours.volumeWithMove - real.volumeWithMove)).toBeLessThan(0.2)
    expect(Math.abs(ours.volumeMemory - real.volumeMemory)).toBeLessThan(0.2)
  })
})

/** The largest difference between two series of a fact. */
function distances(left: MarketFacts, right: MarketFacts, fact: 'clustering' | 'memory'): number {
  return Math.max(...left[fact].map((value, index) => Math.abs(value - (right[fact][index] ?? 0))))
}

/** Of the hour around a minute, by the median, which one jump does not move. */
function deviationAround(moves: readonly number[], index: number): number {
  const around = moves.slice(Math.max(0, index - 30), index + 31).toSorted((left, right) => left - right)
  return 1.48 * (around[around.length >> 1] ?? 0)
}
