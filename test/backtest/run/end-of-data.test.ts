import { describe, expect, it } from 'vitest'
import type { CloseAtEnd } from '../../../backtest/run/backtest-options.ts'
import { defineStrategy, enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { exitReasons, fillWords, klinesOf, QUIET, type Row, run, runScript } from '../kline-table.ts'

describe('the end of the data', () => {
  const rows: readonly Row[] = [QUIET, [100, 101, 99, 100], [102, 106, 101, 105]]
  // 10,000 - 100, then + 105 at the end of minute 2 or + 102 at its begin
  const table: readonly (readonly [CloseAtEnd, readonly string[], number])[] = [
    ['no', [], 10_005],
    ['lastClose', ['3: sell 1 at 105 taker'], 10_005],
    ['lastOpen', ['2: sell 1 at 102 taker'], 10_002],
  ]
  it.each(table)('with closeAtEnd %s', (closeAtEnd, expected, equity) => {
    const result = runScript({ 0: enterLong({ stopLoss: 90 }) }, rows, { closeAtEnd })
    expect(fillWords(result).slice(1)).toEqual(expected)
    expect(exitReasons(result)).toEqual(expected.map(() => 'endOfData'))
    expect(result.openPositions[0]?.quantity).toBe(closeAtEnd === 'no' ? 1000 : undefined)
    expect(result.workingOrders).toBe(closeAtEnd === 'no' ? 1 : 0)
    expect(result.equity[2]).toBe(equity)
  })

  it.each([
    ['lastClose', 2],
    ['lastOpen', 1],
  ] as const)('with closeAtEnd %s ends a holding time of %i minutes', (closeAtEnd, minutes) => {
    const { roundTrips, fills } = runScript({ 0: enterLong() }, rows, { closeAtEnd })
    expect(roundTrips.map(({ entryTime, exitTime }) => exitTime - entryTime)).toEqual([minutes * 60_000])
    expect(fills[1]?.klineOpenTime).toBe(2 * 60_000)
  })

  it('pays slippage on the way out', () => {
    const result = runScript({ 0: enterLong() }, rows, {
      closeAtEnd: 'lastClose',
      fills: { slippageTicks: 2 },
    })
    expect(fillWords(result)[1]).toBe('3: sell 1 at 104.98 taker')
  })

  it('cancels entries that rest', () => {
    const script = { 0: enterLong({ order: { type: 'limit', price: 50 } }) }
    expect(runScript(script, rows, { closeAtEnd: 'lastClose' }).workingOrders).toBe(0)
    expect(runScript(script, rows).workingOrders).toBe(1)
  })

  it.each(['lastClose', 'lastOpen'] as const)(
    'trades no entry that is decided on it, with %s',
    closeAtEnd => {
      const flat = runScript({ 2: enterLong() }, rows, { closeAtEnd })
      expect([fillWords(flat), flat.openPositions, flat.workingOrders]).toEqual([[], [], 0])
      const more = runScript({ 0: enterLong(), 2: enterLong({ scaleIn: true }) }, rows, { closeAtEnd })
      expect([more.fills.length, more.openPositions, more.workingOrders]).toEqual([2, [], 0])
      const reversed = runScript({ 0: enterLong(), 2: enterShort() }, rows, { closeAtEnd })
      expect([reversed.fills.length, reversed.openPositions, reversed.workingOrders]).toEqual([2, [], 0])
    },
  )

  it('closes a position whose exit still rests', () => {
    const script = { 0: enterLong(), 1: exit({ order: { type: 'limit', price: 200 } }) }
    const result = runScript(script, rows, { closeAtEnd: 'lastClose' })
    expect(fillWords(result)[1]).toBe('3: sell 1 at 105 taker')
    expect([result.openPositions[0], result.workingOrders]).toEqual([undefined, 0])
  })

  it('of no klines is an empty result', () => {
    const result = runScript({}, [], { closeAtEnd: 'lastClose' })
    expect([result.equity.length, result.fills.length, klinesOf([]).length]).toEqual([0, 0, 0])
  })
})

describe('ruin', () => {
  const rows: readonly Row[] = [QUIET, QUIET, [90, 90, 75, 79], [79, 200, 79, 200], [200, 200, 200, 200]]

  it('closes the position, and nothing is traded or decided after it', () => {
    let klines = 0
    const strategy = defineStrategy({
      name: 'all-in',
      onKline() {
        klines++
        return enterLong({ size: { base: 50 } })
      },
    })
    const result = run(strategy, rows, { quote: '1000' })
    // 1,000 - 50 × (100 - 79) = -50, at the close of kline 2
    expect(fillWords(result)).toEqual(['1: buy 50 at 100 taker', '3: sell 50 at 79 taker'])
    expect(exitReasons(result)).toEqual(['ruin'])
    expect([...result.equity]).toEqual([1000, 1000, 0, 0, 0])
    expect(result.ruined).toBe(true)
    expect(klines).toBe(3)
  })

  it('comes to a short that the price runs away from', () => {
    const up: readonly Row[] = [QUIET, QUIET, [110, 125, 110, 120]]
    const result = runScript({ 0: enterShort({ size: { base: 50 } }) }, up, { quote: '1000' })
    expect(exitReasons(result)).toEqual(['ruin'])
    expect([...result.equity]).toEqual([1000, 1000, 0])
  })

  it('does not come one cent above zero', () => {
    // 1,000 - 50 × 19.99 = 0.5
    const result = runScript({ 0: enterLong({ size: { base: 50 } }) }, [QUIET, QUIET, [90, 90, 75, 80.01]], {
      quote: '1000',
    })
    expect(result.ruined).toBe(false)
    expect(result.equity[2]).toBeCloseTo(0.5, 9)
  })
})
