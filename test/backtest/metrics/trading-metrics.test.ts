import { describe, expect, it } from 'vitest'
import type { CostedFill } from '../../../backtest/metrics/round-trips/costed-fill.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { Position } from '../../../src/domain/position.ts'
import { roundTrip } from '../results/round-trip.ts'
import { curveOf, DAY } from './curve.ts'
import { hourlyMarket, SPOT } from './market.ts'
import { figuresFor, metricsFor } from './run.ts'

function fill(price: number, quantity: number, slippage?: string): CostedFill {
  return {
    id: 'f',
    clientOrderId: 'o',
    symbol: 'BTC/USDT',
    side: 'buy',
    price: ticks(price * 100),
    quantity: steps(quantity * 100_000),
    fee: amountOf('0.1'),
    feeAsset: 'USDT',
    liquidity: 'taker',
    time: 0,
    ...(slippage !== undefined && { slippage: amountOf(slippage) }),
  }
}

function position(time: number, fee: string): Position {
  const lot = {
    clientOrderId: 'o',
    quantity: steps(1),
    price: ticks(1),
    time,
    fee: amountOf(fee),
    reason: 'entry' as const,
  }
  return { symbol: 'BTC/USDT', book: 'BTC/USDT', direction: 'long', quantity: steps(1), lots: [lot] }
}

const MARGIN_MARKET = { ...hourlyMarket([]), instrument: { ...SPOT, accountType: 'margin' as const } }

describe('trading metrics', () => {
  it('turn over the mean of daily equity', () => {
    const curve = curveOf(100, [
      [1, 100],
      [2, 300],
    ])
    const figures = figuresFor({ curve, fills: [fill(100, 2), fill(110.5, 2)] })
    expect(figures).toMatchObject({ fills: 2, volume: 421, turnover: 421 / 200 })
  })

  it('add up slippage exactly where every fill tells it', () => {
    const fills = [fill(100, 1, '0.1'), fill(100, 1, '0.2'), fill(100, 1, '-0.05')]
    expect(figuresFor({ fills }).slippage).toBe(0.25)
  })

  it('say why there is no slippage where one fill does not tell it', () => {
    expect(metricsFor({ fills: [fill(1, 1, '0.1'), fill(1, 1)] }).figures.slippage).toEqual({
      notAvailable: 'the fills do not tell what they lost to slippage',
    })
  })

  it.each([
    ['a spot account pays no funding', hourlyMarket([])],
    ['the run does not charge funding', MARGIN_MARKET],
  ])('have no funding where %s', (notAvailable, market) => {
    expect(metricsFor({ markets: [market] }).figures.funding).toEqual({ notAvailable })
  })

  it('tell the funding that a run charged', () => {
    expect(figuresFor({ markets: [MARGIN_MARKET], funding: amountOf('-1.5') }).funding).toBe(-1.5)
  })

  it('count a position that is still open into exposure and fees', () => {
    const curve = curveOf(100, [[10, 101]])
    const roundTrips = [roundTrip('1', [0, 2 * DAY], '0.3')]
    const figures = figuresFor({ curve, roundTrips, openPositions: [position(7 * DAY, '0.2')] })
    expect(figures.exposure).toBeCloseTo(0.5, 12)
    expect(figures.fees).toBe(0.5)
  })

  it('break even where the fee takes the profit before fees, and slippage the profit after them', () => {
    // 1.5 BTC in at 10,000.50 and out at 10,100: a volume of 30,150.75, a profit of 149.25 before fees of 30.
    const figures = figuresFor({ roundTrips: [roundTrip('119.25', [0, DAY], '30')] })
    expect(figures.breakEvenFee).toBeCloseTo(149.25 / 30_150.75, 14)
    expect(figures.breakEvenSlippage).toBeCloseTo(119.25 / 30_150.75, 14)
  })

  it('break even below 0 where a rebate would be needed', () => {
    expect(figuresFor({ roundTrips: [roundTrip('-60', [0, DAY], '30')] }).breakEvenFee).toBeCloseTo(
      -30 / 30_150.75,
      14,
    )
  })
})
