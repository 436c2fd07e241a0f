import { describe, expect, it } from 'vitest'
import { enterLong, enterShort, exit, protect, targetPosition } from '../../src/strategy/index.ts'
import { SPOT } from '../engine/desk-session.ts'
import { fillWords, QUIET, type Row, runScript } from './kline-table.ts'

describe('a list of signals in a backtest', () => {
  const AT_110: Row = [110, 110, 110, 110]

  it('trades in order at one open, also where one waits for another', () => {
    const list = [exit({ fraction: 0.5 }), targetPosition({ base: 3 }), exit({ fraction: 1 / 3 })]
    const result = runScript({ 0: enterLong({ size: { base: 4 } }), 1: list }, [QUIET, QUIET, AT_110, QUIET])
    expect(fillWords(result)).toEqual([
      '1: buy 4 at 100 taker',
      '2: sell 2 at 110 taker',
      '2: buy 1 at 110 taker',
      '2: sell 1 at 110 taker',
    ])
  })

  it('buys on spot with the money of the exit before it', () => {
    const all = { size: { equityFraction: 0.9 } }
    const list = [exit(), enterLong(all)]
    const result = runScript({ 0: enterLong(all), 1: list }, [QUIET, QUIET, AT_110, QUIET], {
      instrument: SPOT,
      quote: '1000',
    })
    // 8.991 are left of 9 and sell for 989.01 less 0.99; 0.9 × 1,088.02099 ÷ 110 = 8.9019
    expect(fillWords(result)).toEqual([
      '1: buy 9 at 100 taker',
      '2: sell 8.991 at 110 taker',
      '2: buy 8.901 at 110 taker',
    ])
  })

  it('turns around what its entry has opened, and moves its protection', () => {
    const result = runScript(
      { 0: [enterLong({ size: { base: 2 } }), protect({ stopLoss: 95 })], 1: [enterLong(), enterShort()] },
      [QUIET, QUIET, AT_110, AT_110],
    )
    expect(fillWords(result)).toEqual([
      '1: buy 2 at 100 taker',
      '2: sell 2 at 110 taker',
      '2: sell 1 at 110 taker',
    ])
  })

  it('ends an entry with what the exit before it leaves of the volume', () => {
    const list = [exit({ fraction: 0.999 }), targetPosition({ base: 1 })]
    const rows: readonly Row[] = [QUIET, QUIET, AT_110, [120, 120, 120, 120]]
    const result = runScript({ 0: enterLong(), 1: list }, rows, { fills: { maxVolumeShare: 1 } })
    expect(fillWords(result).slice(1)).toEqual(['2: sell 0.999 at 110 taker', '2: buy 0.001 at 110 taker'])
    expect(result.workingOrders).toBe(0)
  })
})
