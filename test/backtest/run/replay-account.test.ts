import { describe, expect, it } from 'vitest'
import { amountOf, amountToText, rateOf } from '../../../src/domain/numbers/amount.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { MARGIN, SPOT } from '../../engine/engine-session.ts'
import { fillWords, QUIET, type Row, runScript } from '../kline-table.ts'

const textOf = (balances: ReadonlyMap<string, bigint>) =>
  Object.fromEntries([...balances].map(([asset, amount]) => [asset, amountToText(amount as never)]))

describe('a spot account', () => {
  const all = enterLong({ size: { equityFraction: 1 } })
  const GAP_UP: Row = [110, 110, 110, 110]

  it('buys only what it can pay when the open gapped up, and gives the rest up', () => {
    const result = runScript({ 0: all }, [QUIET, GAP_UP], { instrument: SPOT, quote: '1000' })
    // 1,000 ÷ 110 = 9.0909…; the fee is 0.1% of 9.09; 9.08091 is 9.080 and dust.
    expect(fillWords(result)).toEqual(['1: buy 9.09 at 110 taker'])
    expect(textOf(result.balances)).toEqual({ USDT: '0.1', BTC: '9.08091' })
    expect(result.openPositions[0]?.quantity).toBe(9080)
    expect(result.workingOrders).toBe(0)
    // 0.1 + 9.08091 × 110
    expect(result.equity[1]).toBeCloseTo(999.0001, 9)
  })

  it('keeps the fee in quote aside', () => {
    const instrument = { ...SPOT, fees: { ...SPOT.fees, paidIn: 'quote' } } as const
    const result = runScript({ 0: all }, [QUIET, GAP_UP], { instrument, quote: '1000' })
    // 1,000 ÷ 110.11 = 9.0818…; 1,000 - 9.081 × 110 × 1.001
    expect(fillWords(result)).toEqual(['1: buy 9.081 at 110 taker'])
    expect(textOf(result.balances)).toEqual({ USDT: '0.09109', BTC: '9.081' })
  })

  it('protects what the smaller fill brought', () => {
    const signal = enterLong({ size: { equityFraction: 1 }, stopLoss: 90 })
    const rows: readonly Row[] = [QUIET, GAP_UP, [100, 100, 89, 90]]
    const result = runScript({ 0: signal }, rows, { instrument: SPOT, quote: '1000' })
    expect(fillWords(result)[1]).toBe('2: sell 9.08 at 90 taker')
    expect(result.workingOrders).toBe(0)
  })

  it('cannot be short', () => {
    const result = runScript({ 0: enterShort() }, [QUIET, QUIET], { instrument: SPOT })
    expect(result.fills).toEqual([])
    expect(result.denials.map(({ rule }) => rule)).toEqual(['balance'])
  })

  it('is denied what it has no money for at all', () => {
    const result = runScript({ 0: all }, [QUIET, QUIET], { instrument: SPOT, quote: '0' })
    expect(result.fills).toEqual([])
    expect(result.denials.map(({ rule }) => rule)).toEqual(['minimumVolume'])
  })

  it('turned around only sells what it has', () => {
    const result = runScript({ 0: enterLong(), 1: enterShort() }, [QUIET, QUIET, QUIET], { instrument: SPOT })
    expect(fillWords(result)).toEqual(['1: buy 1 at 100 taker', '2: sell 0.999 at 100 taker'])
    expect(textOf(result.balances)).toEqual({ USDT: '9999.8001', BTC: '0' })
  })
})

describe('a margin account', () => {
  const big = enterLong({ size: { base: 95 } })

  it('is ruined by a close alone, not by a low that its equity outlives', () => {
    // 9,000 - 95 × 99.99 = -499.05 at the low.
    const low = runScript({ 0: big }, [QUIET, QUIET, [100, 100, 0.01, 100], QUIET], { quote: '9000' })
    expect(low.ruined).toBe(false)
    expect([...low.equity]).toEqual([9000, 9000, 9000, 9000])
    const close = runScript({ 0: big }, [QUIET, QUIET, [100, 100, 0.01, 1], QUIET], { quote: '9000' })
    // 9,000 - 95 × 99 = -405 at the close, which is minute 3.
    expect(close.ruined).toBe(true)
    expect(fillWords(close)[1]).toBe('3: sell 95 at 1 taker')
    expect([...close.equity.subarray(0, 3)]).toEqual([9000, 9000, 0])
  })
})

describe('fees', () => {
  const rows: readonly Row[] = [QUIET, QUIET, [100, 111, 100, 110]]
  const signal = enterLong({ size: { base: 2 }, takeProfit: 110 })

  it('are those of a taker at market and of a maker at a limit', () => {
    const fees = { maker: rateOf('0.0002'), taker: rateOf('0.0005'), paidIn: 'quote' } as const
    const script = { 0: enterLong({ size: { base: 2 } }), 1: exit({ order: { type: 'limit', price: 110 } }) }
    const result = runScript(script, rows, { instrument: { ...MARGIN, fees } })
    // 200 × 0.0005 and 220 × 0.0002
    expect(result.fills.map(({ fee, feeAsset }) => [amountToText(fee), feeAsset])).toEqual([
      ['0.1', 'USDT'],
      ['0.044', 'USDT'],
    ])
    // 20 - 0.144
    expect(result.roundTrips.map(({ pnl, fees: paid }) => [pnl, paid])).toEqual([
      [amountOf('19.856'), amountOf('0.144')],
    ])
    expect(textOf(result.balances)).toEqual({ USDT: '10019.856', BTC: '0' })
  })

  it('are taken from what is received on a spot account', () => {
    const result = runScript({ 0: signal }, rows, { instrument: SPOT })
    // 2 × 0.001 base; 1.998 × 110 × 0.001 quote
    expect(result.fills.map(({ fee, feeAsset }) => [amountToText(fee), feeAsset])).toEqual([
      ['0.002', 'BTC'],
      ['0.21978', 'USDT'],
    ])
    // 10,000 - 200 + 219.78 - 0.21978
    expect(textOf(result.balances)).toEqual({ USDT: '10019.56022', BTC: '0' })
    expect(result.roundTrips.map(({ pnl }) => amountToText(pnl))).toEqual(['19.56022'])
  })
})

describe('equity', () => {
  it('is the quote balance and the position at the close of every kline', () => {
    const rows: readonly Row[] = [QUIET, [100, 104, 100, 104], [104, 108, 104, 108], [107, 107, 90, 90]]
    const result = runScript({ 0: enterLong({ size: { base: 2 } }), 2: exit() }, rows)
    // 9,800 + 2 × 104; 9,800 + 2 × 108; 9,800 + 2 × 107
    expect([...result.equity]).toEqual([10_000, 10_008, 10_016, 10_014])
    expect([...result.equityTime]).toEqual([60_000, 120_000, 180_000, 240_000])
  })

  it('falls with the price while short', () => {
    const rows: readonly Row[] = [QUIET, [100, 104, 100, 104], [104, 104, 95, 95]]
    expect([...runScript({ 0: enterShort({ size: { base: 2 } }) }, rows).equity]).toEqual([
      10_000, 9992, 10_010,
    ])
  })
})
