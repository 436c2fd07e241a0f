import { describe, expect, it } from 'vitest'
import { exit } from '../../src/strategy/index.ts'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import grid from '../../strategies/grid.ts'

const PARAMETERS = { levels: 2, spacing: 0.1, exposure: 1, giveUp: 0.05 }

/** What is declared after the last kline, as text. */
function quotesAfter(rows: readonly (readonly [number, number, number, number])[], parameters = PARAMETERS) {
  const run = tryStrategy(grid, { klines: klineScript('1h').ohlc(...rows), parameters })
  const last = run.signals.at(-1)
  if (last?.type !== 'quotes') return last
  return last.quotes.map(({ side, price, size, tag }) => {
    const base = 'base' in size ? Number(size.base.toFixed(6)) : Number.NaN
    return `${side} ${base} at ${Number(price.toFixed(6))}, ${tag}`
  })
}

const FIRST = [100, 100, 100, 100] as const
const TO_LEVEL_ONE = [100, 100, 85, 88] as const

describe('grid', () => {
  it('bids below the first close, with all money together', () => {
    // 10 000 ÷ 2 levels ÷ 100.
    expect(quotesAfter([FIRST])).toEqual(['buy 50 at 90, level 1', 'buy 50 at 81, level 2'])
  })

  it('offers what a level has bought one level higher', () => {
    expect(quotesAfter([FIRST, TO_LEVEL_ONE])).toEqual(['sell 50 at 100, level 1', 'buy 50 at 81, level 2'])
  })

  it('bids again where it has sold, and keeps its top until the price is a level above it', () => {
    const sold = [88, 105, 88, 104] as const
    const bids = ['buy 50 at 90, level 1', 'buy 50 at 81, level 2']
    expect(quotesAfter([FIRST, TO_LEVEL_ONE, sold])).toEqual(bids)
    expect(quotesAfter([FIRST, TO_LEVEL_ONE, sold, [104, 110, 104, 110]])).toEqual(bids)
  })

  it('begins anew above the grid, with what it has earned', () => {
    // 50 bought at 90 and sold at 100 are 500; 10 500 ÷ 2 ÷ 111 = 47.297297; 111 × 0.9 and × 0.81.
    const rows = [FIRST, TO_LEVEL_ONE, [88, 105, 88, 104], [104, 112, 104, 111]] as const
    expect(quotesAfter(rows)).toEqual(['buy 47.297297 at 99.9, level 1', 'buy 47.297297 at 89.91, level 2'])
  })

  it('sells everything far below the grid', () => {
    // 81 × 0.95 = 76.95.
    expect(quotesAfter([FIRST, [100, 100, 70, 77]])).toEqual([
      'sell 50 at 100, level 1',
      'sell 50 at 90, level 2',
    ])
    expect(quotesAfter([FIRST, [100, 100, 70, 76.9]])).toEqual(exit({ tag: 'gave up' }))
  })

  it('begins anew there once it has', () => {
    // Bought 50 at 90 and at 81, sold 100 at 76: 10 000 - 8550 + 7600 = 9050; 9050 ÷ 2 ÷ 76, but equity is looked at
    // when it gives up: 1450 + 100 × 76 = 9050 as well.
    const rows = [FIRST, [100, 100, 70, 76], [76, 76, 76, 76]] as const
    expect(quotesAfter(rows)).toEqual(['buy 59.539474 at 68.4, level 1', 'buy 59.539474 at 61.56, level 2'])
  })

  it('says nothing new while nothing fills', () => {
    const run = tryStrategy(grid, {
      klines: klineScript('1h').closes(100, 99, 101, 98),
      parameters: PARAMETERS,
    })
    expect(run.signals).toHaveLength(1)
    expect(run.denials).toEqual([])
  })

  it('never asks for more than it has, with fees and on coarse quantities', () => {
    const path = Array.from({ length: 200 }, (_, index) => 100 + 14 * Math.sin(index / 3) - index / 20)
    const rates = { makerFeeRate: 0.001, takerFeeRate: 0.001, quantityPrecision: 2, minNotional: 5 }
    const config = { instruments: { default: rates } }
    const market = klineScript('1h').closes(...path)
    const run = tryStrategy(grid, { klines: market, parameters: { levels: 6, spacing: 0.02 }, config })
    expect(run.denials).toEqual([])
    expect(run.fills.length).toBeGreaterThan(50)
  })
})
