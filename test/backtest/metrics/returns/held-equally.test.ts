import { describe, expect, it } from 'vitest'
import type { ReplayedMarket } from '../../../../backtest/metrics/market.ts'
import { heldEqually } from '../../../../backtest/metrics/returns/held-equally.ts'
import type { Interval } from '../../../../src/domain/market-data/interval.ts'
import { flat, klinesAt } from '../../markets/several.ts'
import { SPOT } from '../market.ts'

const HOUR = 3_600_000
const CLOSES = [1, 2, 3, 4, 5].map(hour => hour * HOUR)

function marketOf(interval: Interval, prices: readonly number[], from = 0): ReplayedMarket {
  return { instrument: SPOT, interval, klines: klinesAt(prices.map(flat), { interval, start: from * HOUR }) }
}

function held(...markets: readonly ReplayedMarket[]): number[] {
  return Array.from(heldEqually(markets, 0, CLOSES).equity)
}

describe('buy and hold of one instrument on several intervals', () => {
  // Bought at 100, the first open of both.
  const hours = marketOf('1h', [100, 90, 70, 80, 120])
  const fourHours = marketOf('4h', [100])

  it('moves with every close of the shorter, wherever that stands in the list', () => {
    const byHours = [1, 0.9, 0.7, 0.8, 1.2]
    expect(held(hours, fourHours)).toEqual(byHours)
    expect(held(fourHours, hours)).toEqual(byHours)
  })

  it('follows the longer where only that has klines, before the shorter begins and after it ends', () => {
    const twoHours = marketOf('2h', [80, 60, 50]) // Bought at 80, at 0 h.
    expect(held(twoHours, marketOf('1h', [40, 20], 2))).toEqual([1, 1, 0.5, 0.25, 0.25])
    expect(held(marketOf('1h', [80]), twoHours)).toEqual([1, 1, 1, 0.75, 0.75])
  })

  it('is one part beside another instrument', () => {
    const other = { ...marketOf('1h', [10, 10, 20, 20, 20]), instrument: { ...SPOT, symbol: 'ETH/USDT' } }
    // Half of 1, 0.9, 0.7, 0.8, 1.2 and half of 1, 1, 2, 2, 2.
    const both = [1, 0.95, 1.35, 1.4, 1.6]
    expect(held(fourHours, other, hours)).toEqual(both.map(worth => expect.closeTo(worth, 12)))
  })
})
