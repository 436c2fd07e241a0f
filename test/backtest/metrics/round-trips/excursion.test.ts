import { describe, expect, it } from 'vitest'
import { excursionMeter } from '../../../../backtest/metrics/round-trips/excursion.ts'
import { ticks } from '../../../../src/domain/numbers/grid.ts'
import type { RoundTrip } from '../../../../src/domain/round-trip.ts'
import { roundTrip } from '../../results/round-trip.ts'
import { HOUR } from '../curve.ts'
import { hourlyMarket, type Prices } from '../market.ts'

const ROWS: readonly Prices[] = [
  [100, 101, 99, 100],
  [100, 104, 98, 103],
  [103, 110, 102, 108],
  [108, 109, 90, 95],
  [95, 130, 80, 100],
]

/** A long round trip between two hours at the given prices. */
function trip([from, to]: [number, number], [entry, exit]: [number, number], more: Partial<RoundTrip> = {}) {
  const prices = { entryPrice: ticks(entry * 100), exitPrice: ticks(exit * 100) }
  return { ...roundTrip('1', [from * HOUR, to * HOUR]), ...prices, ...more }
}

function measured(roundTrip: RoundTrip, without: readonly number[] = []) {
  const { adverse, favorable } = excursionMeter(hourlyMarket(ROWS, without))(roundTrip)
  return [Number(adverse.toFixed(12)), Number(favorable.toFixed(12))]
}

describe('excursionMeter', () => {
  it('measures from the kline of the entry to the one before the exit, and the exit itself', () => {
    // Low 98 and high 110 of the klines 1 and 2; of kline 3 only the exit at 95.
    expect(measured(trip([1, 3], [100, 95]))).toEqual([0.05, 0.1])
  })

  it('turns with the direction', () => {
    expect(measured(trip([1, 3], [100, 95], { direction: 'short' }))).toEqual([0.1, 0.05])
  })

  it('takes in the last kline of a round trip that ends at its close', () => {
    // Low 80 and high 130 of kline 4.
    expect(measured(trip([3, 5], [108, 100]))).toEqual([0.259259259259, 0.203703703704])
    expect(measured(trip([3, 4], [108, 95]))).toEqual([0.166666666667, 0.009259259259])
  })

  it('knows only entry and exit of a round trip within one kline', () => {
    expect(measured(trip([4, 4], [100, 85]))).toEqual([0.15, 0])
    expect(measured(trip([4, 4], [100, 120]))).toEqual([0, 0.2])
  })

  it('finds the klines where some are absent', () => {
    expect(measured(trip([1, 4], [100, 95]), [2])).toEqual([0.1, 0.09])
  })

  it('takes a time inside a kline for that kline', () => {
    expect(measured(trip([1.5, 3.25], [100, 95]))).toEqual([0.05, 0.1])
  })
})
