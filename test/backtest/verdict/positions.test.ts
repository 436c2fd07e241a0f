import { describe, expect, it } from 'vitest'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import {
  heldSpans,
  heldToTheEnd,
  opensAndLastClose,
  tripReturnsOf,
} from '../../../backtest/verdict/positions.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { MARGIN, scripted } from '../../engine/engine-session.ts'
import { backtestOn, hourly } from '../trials/trial-market.ts'

const HOUR = 3_600_000

describe('positions of a run', () => {
  const klines = hourly(1, 12)
  const fees = { maker: rateOf('0'), taker: rateOf('0.001'), paidIn: 'quote' } as const
  const script = { 0: enterLong(), 3: enterShort(), 5: exit(), 8: enterLong() }
  const backtest = {
    ...backtestOn(klines, scripted(script), { ...MARGIN, fees }, { slippageRate: 0 }),
    size: { base: 2 },
  }
  const { roundTrips } = runBacktest({ ...backtest, closeAtEnd: 'lastClose' })

  it('are held from the open of one kline to that of another', () => {
    // Decided at a close, traded at the next open; the last is sold at the last close, row 12.
    expect(heldSpans(roundTrips, { klines, interval: '1h' })).toEqual([
      { from: 1, to: 4, direction: 1 },
      { from: 4, to: 6, direction: -1 },
      { from: 9, to: 12, direction: 1 },
    ])
  })

  it('count to the last close where they are still open', () => {
    const { openPositions, roundTrips: closed } = runBacktest(backtest)
    expect(closed).toHaveLength(2)
    const data = { klines, interval: '1h' } as const
    expect(heldSpans([...closed, ...heldToTheEnd(openPositions, data)], data)).toEqual([
      { from: 1, to: 4, direction: 1 },
      { from: 4, to: 6, direction: -1 },
      { from: 9, to: 12, direction: 1 },
    ])
  })

  it('are one where round trips overlap, and last a kline at least', () => {
    const trip = (from: number, to: number, direction: 'long' | 'short'): RoundTrip =>
      ({ ...roundTrips[0], entryTime: from * HOUR, exitTime: to * HOUR, direction }) as RoundTrip
    const trips = [trip(7, 7, 'short'), trip(0, 2, 'long'), trip(1, 5, 'short'), trip(5, 6, 'long')]
    expect(heldSpans(trips, { klines, interval: '1h' })).toEqual([
      { from: 0, to: 5, direction: 1 },
      { from: 5, to: 6, direction: 1 },
      { from: 7, to: 8, direction: -1 },
    ])
  })

  it('earn fractions of the equity before them', () => {
    const open = (row: number) => klines.open[row] as number
    const close = klines.close[11] as number
    const first = 2 * (open(4) - open(1) - 0.001 * (open(4) + open(1)))
    const second = 2 * (open(4) - open(6) - 0.001 * (open(4) + open(6)))
    const third = 2 * (close - open(9) - 0.001 * (close + open(9)))
    const returns = tripReturnsOf(roundTrips, 10_000)
    expect(returns[0]).toBeCloseTo(first / 10_000, 12)
    expect(returns[1]).toBeCloseTo(second / (10_000 + first), 12)
    expect(returns[2]).toBeCloseTo(third / (10_000 + first + second), 12)
  })

  it('have the prices of all opens, and of the last close', () => {
    expect([...opensAndLastClose(klines)]).toEqual([...klines.open, klines.close[11]])
  })
})
