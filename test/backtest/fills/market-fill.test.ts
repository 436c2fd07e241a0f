import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS, type FillSettings } from '../../../backtest/models/fill-settings.ts'
import { enterLong, enterShort, exit, targetPosition } from '../../../src/strategy/index.ts'
import { fillWords, QUIET, type Row, runScript } from '../kline-table.ts'

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

  it('is never sold below one tick, however far slippage is rounded', () => {
    const atATick: Row = [0.01, 0.01, 0.01, 0.01]
    const sold = (fills: Partial<FillSettings>) =>
      fillWords(runScript({ 0: enterShort({ size: { base: 1000 } }) }, [atATick, atATick], { fills }))
    // 0.01 × 0.9998 = 0.009998, of which the whole tick below is 0.
    expect(sold({ slippageRate: 0.0002 })).toEqual(['1: sell 1000 at 0.01 taker'])
    expect(sold({ slippageTicks: 3 })).toEqual(['1: sell 1000 at 0.01 taker'])
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

  it('comes from the opening for targets as well, up, down and through zero', () => {
    const target = (equityFraction: number) => targetPosition({ equityFraction })
    const fell = [QUIET, [80, 80, 80, 80]] as const
    const settings = { sizingReference: 'nextOpen' } as const
    // 10,000 × 0.5 ÷ 80
    expect(fillWords(runScript({ 0: target(0.5) }, fell, settings))).toEqual(['1: buy 62.5 at 80 taker'])
    const path: readonly Row[] = [QUIET, [100, 100, 100, 100], [80, 80, 80, 80], [160, 160, 160, 160]]
    // 50 at 100. At 80 the account has 9,000, a half of it is 56.25: 6.25 more. At 160 it has 13,500: -0.5 of it are 42.1875.
    expect(fillWords(runScript({ 0: target(0.5), 1: target(0.5), 2: target(-0.5) }, path, settings))).toEqual(
      [
        '1: buy 50 at 100 taker',
        '2: buy 6.25 at 80 taker',
        '3: sell 56.25 at 160 taker',
        '3: sell 42.187 at 160 taker',
      ],
    )
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
      queue: 'shown',
    })
  })
})
