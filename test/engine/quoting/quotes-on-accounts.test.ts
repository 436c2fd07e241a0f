import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { enterLong, exit, keepQuotes, targetPosition } from '../../../src/strategy/index.ts'
import { MARGIN, type SessionOptions, SPOT } from '../engine-session.ts'
import { buy, FREE_SPOT, sell, started } from './quote-session.ts'

describe('sells on a spot account', () => {
  const holding = (
    set: ReturnType<typeof keepQuotes>,
    options: SessionOptions = { instrument: FREE_SPOT },
  ) => {
    const { session } = started({ 0: enterLong({ size: { base: 3 } }), 1: set, 2: set, 3: set }, options)
    session.fill(1, 100)
    return session
  }

  it('close what is held, the first declared first, and nothing beyond it', () => {
    const session = holding(keepQuotes([sell(101, 2), sell(102, 2), sell(103, 2)]))
    expect(session.kline(100)).toEqual([
      'exit sell 2 postOnly 101 reduceOnly',
      'exit sell 1 postOnly 102 reduceOnly',
    ])
    expect(session.kline(100)).toEqual([])
  })

  it('are silent while nothing is held', () => {
    const { said } = started({ 0: keepQuotes([sell(101), buy(99)]) }, { instrument: FREE_SPOT })
    expect(said).toEqual(['entry buy 1 postOnly 99'])
  })

  it('are silent about a rest that is too small for an order', () => {
    const set = keepQuotes([sell(101, 1)])
    const { session } = started(
      { 0: enterLong({ size: { base: 1.04 } }), 1: set, 2: set },
      { instrument: FREE_SPOT },
    )
    session.fill(1, 100)
    expect(session.kline(100)).toEqual(['exit sell 1 postOnly 101 reduceOnly'])
    session.fill(2, 101)
    // 0.04 at 101 are 4.04, and an order must be worth 5.
    expect([session.held, session.kline(100)]).toEqual([0.04, []])
  })

  it('rest beside buys, and grow with what these bring by the next declaration', () => {
    const session = holding(keepQuotes([sell(101, 4), buy(99, 1)]))
    expect(session.kline(100)).toEqual(['exit sell 3 postOnly 101 reduceOnly', 'entry buy 1 postOnly 99'])
    session.fill(3, 99)
    expect(session.kline(100)).toEqual(['cancel 2', 'entry buy 1 postOnly 99'])
    expect(session.update(2, 'canceled')).toEqual(['exit sell 4 postOnly 101 reduceOnly'])
  })

  it('stay as they are when a part of them has closed a part of what is held', () => {
    const session = holding(keepQuotes([sell(101, 3)]))
    session.kline(100)
    session.fill(2, 101, 1)
    expect(session.kline(100)).toEqual([])
    expect(session.held).toBe(2)
  })

  it('leave what another exit is to close', () => {
    const { session } = started(
      {
        0: enterLong({ size: { base: 3 } }),
        1: [exit({ fraction: 0.5, order: { type: 'limit', price: 105 } }), keepQuotes([sell(101, 3)])],
      },
      { instrument: FREE_SPOT },
    )
    session.fill(1, 100)
    expect(session.kline(100)).toEqual([
      'exit sell 1.5 limit 105 reduceOnly',
      'exit sell 1.5 postOnly 101 reduceOnly',
    ])
  })

  it('sell what a fee in base has left', () => {
    const session = holding(keepQuotes([sell(101, 3)]), { instrument: SPOT })
    expect(session.kline(100)).toEqual(['exit sell 2.997 postOnly 101 reduceOnly'])
    expect(session.kline(100)).toEqual([])
  })

  it('go when what they are to close is gone', () => {
    const { session } = started(
      { 0: enterLong({ size: { base: 1 }, stopLoss: 95 }), 1: keepQuotes([sell(101, 1), buy(99, 1)]) },
      { instrument: FREE_SPOT },
    )
    session.fill(1, 100)
    session.kline(100)
    expect(session.fill(2, 95)).toEqual(['cancel 3'])
  })
})

describe('quotes on a margin account', () => {
  it('net with the position and may turn it', () => {
    const { session } = started({ 0: keepQuotes([buy(99, 1), sell(101, 3)]) })
    session.fill(1, 99)
    expect(session.held).toBe(1)
    session.fill(2, 101)
    expect(session.held).toBe(-2)
  })

  it('that only reduce close what is held, on either side', () => {
    const reduce = (side: 'buy' | 'sell', price: number) =>
      ({ side, price, size: { base: 5 }, reduceOnly: true }) as const
    const both = keepQuotes([reduce('buy', 99), reduce('sell', 101)])
    const { session } = started({ 0: targetPosition({ base: -2 }), 1: both, 2: both, 3: both })
    session.fill(1, 100)
    expect(session.kline(100)).toEqual(['exit buy 2 postOnly 99 reduceOnly'])
    session.fill(2, 99)
    expect([session.held, session.kline(100)]).toEqual([0, []])
  })
})

describe('an account that holds long and short side by side', () => {
  it('cannot keep quotes, and says so', () => {
    const rates = { maintenance: [], leverage: 1, marginMode: 'cross', positionMode: 'twoWay' } as const
    const instrument = {
      ...MARGIN,
      accountType: 'futures',
      quantityPrecision: 0,
      contractSize: amountOf('0.001'),
      futures: rates,
    } as const
    const { session, said } = started({ 0: keepQuotes([buy(98)]) }, { instrument })
    expect(said).toEqual(['strategy failed'])
    const failed = session.outputs.find(({ type }) => type === 'strategyFailed')
    expect(failed?.type === 'strategyFailed' && failed.error.message).toContain('positionMode twoWay')
  })
})
