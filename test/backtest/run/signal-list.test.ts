import { describe, expect, it } from 'vitest'
import {
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  protect,
  targetPosition,
} from '../../../src/strategy/index.ts'
import { SPOT } from '../../engine/engine-session.ts'
import { fillWords, QUIET, type Row, run, runScript } from '../kline-table.ts'

const AT_110: Row = [110, 110, 110, 110]

describe('a list of signals in a backtest', () => {
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

describe('a list of signals in a backtest that sizes at the next opening', () => {
  const settings = { sizingReference: 'nextOpen' } as const

  it('trades in order at one open, also where one waits for another', () => {
    // At 110 the account has 10,000 + 4 × 10 = 10,040, of which 0.033 are 331.32: 3.012 at 110.
    const list = [exit({ fraction: 0.5 }), targetPosition({ equityFraction: 0.033 }), exit({ fraction: 0.5 })]
    const script = { 0: enterLong({ size: { base: 4 } }), 1: [...list, targetPosition({ base: 3 })] }
    const result = runScript(script, [QUIET, QUIET, AT_110, QUIET], settings)
    expect(fillWords(result)).toEqual([
      '1: buy 4 at 100 taker',
      '2: sell 2 at 110 taker',
      '2: buy 1.012 at 110 taker',
      '2: sell 1.506 at 110 taker',
      '2: buy 1.494 at 110 taker',
    ])
  })

  it('buys on spot with the money of an exit that reaches the exchange after the next opening', () => {
    const all = { size: { equityFraction: 0.9 } }
    const script = { 0: enterLong(all), 3: [exit(), enterLong(all)] }
    const result = runScript(script, [QUIET, QUIET, QUIET, QUIET, QUIET, AT_110, QUIET], {
      ...settings,
      ...{ instrument: SPOT, quote: '1000', fills: { latencyMs: 30_000 } },
    })
    // 8.991 are left of 9 and sell for 989.01 less 0.99; 0.9 × 1,088.02099 ÷ 110 = 8.9019
    expect(fillWords(result)).toEqual([
      '2: buy 9 at 100 taker',
      '5: sell 8.991 at 110 taker',
      '5: buy 8.901 at 110 taker',
    ])
  })

  it('protects what the entry before opens, with prices of its own', () => {
    const script = { 0: [enterLong({ size: { base: 2 } }), protect({ stopLoss: 95 })] }
    const result = runScript(script, [QUIET, QUIET, [100, 100, 90, 90], QUIET], settings)
    expect(fillWords(result)).toEqual(['1: buy 2 at 100 taker', '2: sell 2 at 95 taker'])
  })

  it('decides on a fill for the next opening, not for that of the fill', () => {
    const adder = defineStrategy({
      name: 'adder',
      onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : undefined),
      onFill: ({ side }) => (side === 'sell' ? [] : [exit({ fraction: 0.5 }), enterLong({ scaleIn: true })]),
    })
    const result = run(adder, [QUIET, QUIET, QUIET], settings)
    expect(fillWords(result)).toEqual([
      '1: buy 1 at 100 taker',
      '2: sell 0.5 at 100 taker',
      '2: buy 1 at 100 taker',
    ])
  })
})
