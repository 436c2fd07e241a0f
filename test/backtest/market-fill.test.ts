import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS, type FillSettings } from '../../backtest/fill-settings.ts'
import { enterLong, enterShort, exit } from '../../src/strategy/index.ts'
import { fillWords, QUIET, type Row, runScript } from './kline-table.ts'

const NEXT: Row = [102, 104, 101, 103]

describe('a market order', () => {
  const table: readonly (readonly [string, Partial<FillSettings>, string, string])[] = [
    ['no slippage', {}, '102', '102'],
    // 102 × 1.0002 = 102.0204, 102 × 0.9998 = 101.9796
    ['a rate, rounded against us', { slippageRate: 0.0002 }, '102.03', '101.97'],
    // 102 × 1.01 = 103.02 and 102 × 0.99 = 100.98, both on the grid
    ['a rate that needs no rounding', { slippageRate: 0.01 }, '103.02', '100.98'],
    ['ticks', { slippageTicks: 3 }, '102.03', '101.97'],
    ['both', { slippageRate: 0.0002, slippageTicks: 3 }, '102.06', '101.94'],
  ]
  it.each(table)('trades at the next open with %s', (_name, fills, bought, sold) => {
    expect(fillWords(runScript({ 0: enterLong() }, [QUIET, NEXT], { fills }))).toEqual([
      `1: buy 1 at ${bought} taker`,
    ])
    expect(fillWords(runScript({ 0: enterShort() }, [QUIET, NEXT], { fills }))).toEqual([
      `1: sell 1 at ${sold} taker`,
    ])
  })

  it('pays slippage on the way out as well', () => {
    const result = runScript({ 0: enterLong(), 1: exit() }, [QUIET, NEXT, QUIET], {
      fills: { slippageTicks: 1 },
    })
    expect(fillWords(result)).toEqual(['1: buy 1 at 102.01 taker', '2: sell 1 at 99.99 taker'])
  })

  it('decided on the last kline never trades', () => {
    const result = runScript({ 1: enterLong() }, [QUIET, NEXT])
    expect(fillWords(result)).toEqual([])
    expect(result.workingOrders).toBe(1)
  })
})

describe('the size of a market entry', () => {
  const rows: readonly Row[] = [QUIET, [125, 125, 125, 125]]
  const script = { 0: enterLong({ size: { equityFraction: 0.5 } }) }

  it('comes from the price known at the decision', () => {
    // 10,000 × 0.5 ÷ 100
    expect(fillWords(runScript(script, rows))).toEqual(['1: buy 50 at 125 taker'])
  })

  it('comes from the opening where the settings allow what nobody can know', () => {
    // 10,000 × 0.5 ÷ 125
    expect(fillWords(runScript(script, rows, { sizingReference: 'nextOpen' }))).toEqual([
      '1: buy 40 at 125 taker',
    ])
  })
})

describe('the default fill settings', () => {
  it('never assume what a kline cannot prove', () => {
    expect(DEFAULT_FILL_SETTINGS).toEqual({
      path: 'pessimistic',
      slippageRate: 0.0002,
      slippageTicks: 0,
      volumeImpact: 0,
      spreadRate: 0,
      spreadTicks: 0,
      latencyMs: 0,
      limitFill: 'through',
      gappedLimit: 'atLimit',
      entryKlineProtection: 'all',
      stopLossFirst: 'unlessOpenPassedTakeProfit',
      stopLimit: 'gapAware',
    })
  })
})
