import { describe, expect, it } from 'vitest'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { enterLong, enterShort, exit, targetPosition } from '../../../src/strategy/index.ts'
import { EngineSession, MARGIN, type SessionOptions, SPOT, scripted } from '../engine-session.ts'

/** A session that holds `base` (negative: short) from 100, and gives `signals` on its second kline. */
function holding(base: number, signals: Signal | readonly Signal[], options?: SessionOptions): EngineSession {
  const enter = base > 0 ? enterLong : enterShort
  const session = new EngineSession(
    scripted({ 0: enter({ size: { base: Math.abs(base) } }), 1: signals }),
    options,
  )
  session.kline(100)
  session.fill(1, 100)
  return session
}

describe('an exit', () => {
  it('sells a long position and buys a short one back', () => {
    expect(holding(4, exit()).kline(100)).toEqual(['exit sell 4 market reduceOnly'])
    expect(holding(-4, exit()).kline(100)).toEqual(['exit buy 4 market reduceOnly'])
  })

  it('closes a fraction, rounded down to the grid', () => {
    expect(holding(4, exit({ fraction: 0.25 })).kline(100)).toEqual(['exit sell 1 market reduceOnly'])
    expect(holding(0.1, exit({ fraction: 0.999 })).kline(100)).toEqual(['exit sell 0.099 market reduceOnly'])
  })

  it.each([
    [1 / 3, 0.001],
    [2 / 3, 0.002],
    [1 - 1 / 3, 0.002],
    [0.1 + 0.2 + 0.7, 0.003],
  ])('closes the fraction %d of three steps, float noise aside', (fraction, base) => {
    const instrument = { ...MARGIN, minNotional: amountOf('0') }
    expect(holding(0.003, exit({ fraction: Math.min(1, fraction) }), { instrument }).kline(100)).toEqual([
      `exit sell ${base} market reduceOnly`,
    ])
  })

  it('that rests in parts of one list rounds them together, so that they add up to the position', () => {
    const thirds = [105, 106, 107].map(price => exit({ order: { type: 'limit', price }, fraction: 1 / 3 }))
    // 5 ÷ 3 = 1.67 and 10 ÷ 3 = 3.33, in whole steps of 0.001: 1, 3 and 5 of them.
    expect(
      holding(0.005, thirds, { instrument: { ...MARGIN, minNotional: amountOf('0') } }).kline(100),
    ).toEqual([
      'exit sell 0.001 limit 105 reduceOnly',
      'exit sell 0.002 limit 106 reduceOnly',
      'exit sell 0.002 limit 107 reduceOnly',
    ])
  })

  it('comes to the market as a limit order where the signal says so', () => {
    expect(holding(4, exit({ order: { type: 'limit', price: 105 } })).kline(100)).toEqual([
      'exit sell 4 limit 105 reduceOnly',
    ])
  })

  it('does nothing when flat', () => {
    expect(new EngineSession(scripted({ 0: exit() })).kline(100)).toEqual([])
  })

  it('is not doubled while an exit is on its way', () => {
    const session = holding(4, [exit({ fraction: 0.5 }), exit(), exit()])
    expect(session.kline(100)).toEqual(['exit sell 2 market reduceOnly', 'exit sell 2 market reduceOnly'])
  })

  it('sells what a spot account holds after a fee in base', () => {
    // 4 bought less 0.1% is 3.996.
    expect(holding(4, exit(), { instrument: SPOT }).kline(100)).toEqual(['exit sell 3.996 market reduceOnly'])
  })

  it('that rests is canceled once nothing is left to close', () => {
    const enter = enterLong({ size: { base: 4 }, stopLoss: 95 })
    const session = new EngineSession(
      scripted({ 0: enter, 1: exit({ order: { type: 'limit', price: 105 } }) }),
    )
    session.kline(100)
    expect(session.fill(1, 100)).toEqual(['stopLoss sell 4 stop 95 reduceOnly'])
    expect(session.kline(100)).toEqual(['exit sell 4 limit 105 reduceOnly'])
    expect(session.fill(2, 95)).toEqual(['cancel 3'])
  })

  it('on its way is canceled once the other side is held, which it would only add to', () => {
    const enter = [
      enterLong({ size: { base: 4 }, stopLoss: 95 }),
      enterLong({ size: { base: 1 }, scaleIn: true }),
    ]
    const session = new EngineSession(scripted({ 0: enter, 1: exit(), 2: targetPosition({ base: -3 }) }))
    session.kline(100)
    session.fill(1, 100)
    session.fill(2, 100)
    expect(session.kline(100)).toEqual(['exit sell 5 market reduceOnly'])
    expect(session.kline(100)).toEqual(['entry sell 3 market'])
    expect(session.fill(3, 95)).toEqual([])
    expect(session.fill(5, 95)).toEqual(['cancel 4'])
  })
})

describe('a position that is larger than one order may close in all its parts', () => {
  // An order leaves in at most 99 parts: at most 0.1 each, that is 9.9.
  const instrument = { ...MARGIN, maxQuantity: steps(100) }
  const enter = enterLong({ size: { base: 9 }, scaleIn: true })

  /** A long of 21 from three entries. */
  function grown(signal?: Signal): EngineSession {
    const last = enterLong({ size: { base: 3 }, scaleIn: true })
    const script = { 0: enter, 1: enter, 2: last, ...(signal && { 3: signal }) }
    const session = new EngineSession(scripted(script), { instrument })
    for (const number of [1, 2, 3]) {
      session.kline(100)
      session.fill(number, 100)
    }
    return session
  }

  it('is closed by as many orders as it takes', () => {
    const session = grown(exit())
    expect(session.kline(100)).toEqual(Array(3).fill('exit sell 7 market reduceOnly'))
    for (const number of [4, 5, 6]) session.fill(number, 100)
    expect(session.held).toBe(0)
  })

  it('is reduced by as many', () => {
    expect(grown(exit({ fraction: 0.75 })).kline(100)).toEqual([
      'exit sell 7.875 market reduceOnly',
      'exit sell 7.875 market reduceOnly',
    ])
  })

  it('is flattened by as many', () => {
    expect(grown().command('flatten')).toEqual(Array(3).fill('operator sell 7 market reduceOnly'))
  })
})

describe('a signal that closes the whole position while a limit exit rests', () => {
  const restingExit = exit({ order: { type: 'limit', price: 110 } })

  /** A long of 4 whose limit exit (order 2) rests; `signal` comes on the third kline. */
  function leaving(signal: Signal): EngineSession {
    const session = new EngineSession(
      scripted({ 0: enterLong({ size: { base: 4 } }), 1: restingExit, 2: signal }),
    )
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    return session
  }

  it.each<[string, Signal, readonly string[]]>([
    ['an exit at market', exit(), ['exit sell 4 market reduceOnly']],
    ['a target of zero', targetPosition({ base: 0 }), ['exit sell 4 market reduceOnly']],
    [
      'an entry the other way',
      enterShort({ size: { base: 1 } }),
      ['exit sell 4 market reduceOnly', 'entry sell 1 market'],
    ],
  ])('takes its place once it is canceled: %s', (_name, signal, placed) => {
    const session = leaving(signal)
    expect(session.kline(100)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(placed)
  })

  it('has only the rest to close where the limit exit filled in part', () => {
    const session = leaving(exit())
    session.kline(100)
    session.fill(2, 110, 1.5)
    expect(session.update(2, 'canceled')).toEqual(['exit sell 2.5 market reduceOnly'])
  })

  it('has nothing to close where the limit exit filled instead', () => {
    const session = leaving(exit())
    session.kline(100)
    expect(session.fill(2, 110)).toEqual([])
  })
})

describe('a part closed at market while an exit rests', () => {
  /** A long of 4; `resting` on the second kline, `signal` on the third. */
  function beside(
    resting: Signal | readonly Signal[],
    signal: Signal,
    options?: SessionOptions,
  ): EngineSession {
    const script = { 0: enterLong({ size: { base: 4 } }), 1: resting, 2: signal }
    const session = new EngineSession(scripted(script), options)
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    return session
  }
  const at = (price: number, fraction = 1) => exit({ order: { type: 'limit', price }, fraction })
  const stop = exit({ order: { type: 'stop', stopPrice: 90 } })

  it.each([
    ['a limit exit of all', at(110), exit({ fraction: 0.5 }), 2, 'exit sell 2 limit 110 reduceOnly'],
    ['a limit exit of half', at(110, 0.5), exit({ fraction: 0.75 }), 3, 'exit sell 1 limit 110 reduceOnly'],
    ['a stop exit of all', stop, exit({ fraction: 0.5 }), 2, 'exit sell 2 stop 90 reduceOnly'],
  ])('closes what it says and leaves the rest to %s', (_name, resting, signal, sold, rest) => {
    const session = beside(resting, signal)
    expect(session.kline(100)).toEqual([`exit sell ${sold} market reduceOnly`, 'cancel 2'])
    expect(session.update(2, 'canceled')).toEqual([rest])
    session.fill(3, 100)
    expect([session.held, session.openQuantity(4)]).toEqual([4 - sold, 4 - sold])
  })

  it.each(['IOC', 'FOK'] as const)('and to a limit exit that may only take (%s)', timeInForce => {
    const session = beside(
      exit({ order: { type: 'limit', price: 90, timeInForce } }),
      exit({ fraction: 0.5 }),
    )
    expect(session.kline(100)).toEqual(['exit sell 2 market reduceOnly', 'cancel 2'])
    expect(session.update(2, 'canceled')).toEqual([`exit sell 2 ${timeInForce.toLowerCase()} 90 reduceOnly`])
  })

  it('closes as much on a spot account', () => {
    // 3.996 held: half is 1.998
    const session = beside(at(110), exit({ fraction: 0.5 }), { instrument: SPOT })
    expect(session.kline(100)).toEqual(['exit sell 1.998 market reduceOnly', 'cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['exit sell 1.998 limit 110 reduceOnly'])
  })

  it('leaves alone what still fits, and shrinks the newest', () => {
    const session = beside([at(110, 0.25), at(120, 0.5)], exit({ fraction: 0.5 }))
    expect(session.kline(100)).toEqual(['exit sell 2 market reduceOnly', 'cancel 3'])
    expect(session.update(3, 'canceled')).toEqual(['exit sell 1 limit 120 reduceOnly'])
  })

  it('takes a resting exit back once, however long that takes', () => {
    const session = beside(at(110), exit({ fraction: 0.5 }))
    session.kline(100)
    expect(session.fill(3, 100)).toEqual([])
    expect(session.update(2, 'canceled')).toEqual(['exit sell 2 limit 110 reduceOnly'])
  })

  it('shrinks a resting exit of its own list to what a target leaves', () => {
    const session = holding(4, [at(110), targetPosition({ base: 2 })])
    expect(session.kline(100)).toEqual([
      'exit sell 4 limit 110 reduceOnly',
      'exit sell 2 market reduceOnly',
      'cancel 2',
    ])
    expect(session.update(2, 'canceled')).toEqual(['exit sell 2 limit 110 reduceOnly'])
  })

  it('is denied, with its reason, where it is to rest and nothing is left for it', () => {
    const session = beside(at(110), at(120, 0.5))
    expect(session.kline(100)).toEqual(['denied by nothingLeft'])
  })
})

describe('a market entry against the position', () => {
  it('is an exit of all that is held and then an entry of its full size', () => {
    expect(holding(4, enterShort({ size: { base: 3 } })).kline(100)).toEqual([
      'exit sell 4 market reduceOnly',
      'entry sell 3 market',
    ])
    expect(holding(-4, enterLong({ size: { base: 3 } })).kline(100)).toEqual([
      'exit buy 4 market reduceOnly',
      'entry buy 3 market',
    ])
  })

  it('ends in the new position with one round trip', () => {
    const session = holding(4, enterShort({ size: { base: 3 } }))
    session.kline(100)
    session.fill(2, 101)
    session.fill(3, 101)
    expect(session.held).toBe(-3)
    expect(session.outputs.filter(output => output.type === 'roundTripClosed')).toHaveLength(1)
  })

  it('nets when it rests: no exit goes before it', () => {
    const order = { type: 'limit', price: 105 } as const
    const session = holding(4, enterShort({ size: { base: 6 }, order }))
    expect(session.kline(100)).toEqual(['entry sell 6 limit 105'])
    session.fill(2, 105)
    expect(session.held).toBe(-2)
  })
})

describe('a target', () => {
  const table: readonly (readonly [string, number, Signal, readonly string[]])[] = [
    ['up', 2, targetPosition({ base: 5 }), ['entry buy 3 market']],
    ['down', 5, targetPosition({ base: 2 }), ['exit sell 3 market reduceOnly']],
    ['of what is held', 5, targetPosition({ base: 5 }), []],
    ['flat', 5, targetPosition({ base: 0 }), ['exit sell 5 market reduceOnly']],
    [
      'through zero',
      5,
      targetPosition({ base: -2 }),
      ['exit sell 5 market reduceOnly', 'entry sell 2 market'],
    ],
    [
      'short up through zero',
      -5,
      targetPosition({ base: 1 }),
      ['exit buy 5 market reduceOnly', 'entry buy 1 market'],
    ],
    ['more short', -2, targetPosition({ base: -5 }), ['entry sell 3 market']],
    ['less short', -5, targetPosition({ base: -2 }), ['exit buy 3 market reduceOnly']],
    // 400 ÷ 100 = 4 base
    ['in quote', 1, targetPosition({ quote: 400 }), ['entry buy 3 market']],
    // 10,000 × 0.5 ÷ 100 = 50 base, short
    [
      'in equity',
      5,
      targetPosition({ equityFraction: -0.5 }),
      ['exit sell 5 market reduceOnly', 'entry sell 50 market'],
    ],
    [
      'by limit',
      2,
      targetPosition({ base: 5 }, { order: { type: 'limit', price: 99 } }),
      ['entry buy 3 limit 99'],
    ],
  ]
  it.each(table)('%s trades the difference', (_name, held, signal, expected) => {
    expect(holding(held, signal).kline(100)).toEqual(expected)
  })

  it('opens from flat', () => {
    expect(new EngineSession(scripted({ 0: targetPosition({ base: -2 }) })).kline(100)).toEqual([
      'entry sell 2 market',
    ])
    expect(new EngineSession(scripted({ 0: targetPosition({ base: 0 }) })).kline(100)).toEqual([])
  })

  it('counts market orders on their way, so that it is not doubled', () => {
    const session = new EngineSession(
      scripted({
        0: targetPosition({ base: 2 }),
        1: targetPosition({ base: 2 }),
        2: targetPosition({ base: 3 }),
      }),
    )
    expect(session.kline(100)).toEqual(['entry buy 2 market'])
    expect(session.kline(100)).toEqual([])
    session.fill(1, 100, 1.5)
    expect(session.kline(100)).toEqual(['entry buy 1 market'])
  })
})

describe('a target in equity', () => {
  const PAYING = {
    ...MARGIN,
    fees: { maker: rateOf('0.001'), taker: rateOf('0.001'), paidIn: 'quote' },
  } as const

  it('on spot buys where it is raised, and sells where it is lowered', () => {
    const script = [0.6, 0.7, 0.7, 0.5].map(equityFraction => targetPosition({ equityFraction }))
    const session = new EngineSession(scripted({ ...script }), { instrument: SPOT })
    // q = 60 ÷ (1 − 0.001 × 0.4), of which 0.1% is taken: 59.963 stay and are 0.6 of 9,994.
    expect(session.kline(100)).toEqual(['entry buy 60.024 market'])
    session.fill(1, 100)
    // Equity is 10,000 − 6.0024 = 9,993.9976; q = (69.957983 − 59.963976) ÷ (1 − 0.0003) = 9.997006
    expect(session.kline(100)).toEqual(['entry buy 9.997 market'])
    session.fill(2, 100)
    expect(session.kline(100)).toEqual([])
    // Equity is 9,992.9979, held 69.950979; q = (69.950979 − 49.9649895) ÷ (1 − 0.0005) = 19.995987
    expect(session.kline(100)).toEqual(['exit sell 19.995 market reduceOnly'])
  })

  it('counts the fees of closing the other side, and its own', () => {
    // 5 × 100 × 0.001 = 0.5 comes off 10,000; h = 0.5 × 9,999.5 ÷ 100 ÷ 1.0005 = 49.9725
    const session = holding(5, targetPosition({ equityFraction: -0.5 }), {
      instrument: PAYING,
      quote: '10000.5',
    })
    expect(session.kline(100)).toEqual(['exit sell 5 market reduceOnly', 'entry sell 49.972 market'])
  })

  it('is made of what market orders on their way leave, not of what rests', () => {
    const down = exit({ fraction: 0.5 })
    const up = targetPosition({ base: 5 })
    const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 4 } }), 1: down, 2: up }))
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100)).toEqual(['exit sell 2 market reduceOnly'])
    expect(session.kline(100)).toEqual(['entry buy 3 market'])
  })

  it('leaves what is less than the smallest order, but says so where nothing is held', () => {
    const script = {
      0: targetPosition({ base: 0.01 }),
      1: targetPosition({ base: 1 }),
      2: targetPosition({ base: 1.01 }),
    }
    const session = new EngineSession(scripted(script))
    expect(session.kline(100)).toEqual(['denied by minimumNotional'])
    expect(session.kline(100)).toEqual(['entry buy 1 market'])
    session.fill(1, 100)
    expect(session.kline(100)).toEqual([])
  })
})

describe('a request to flatten', () => {
  const flatten = {
    type: 'flattenRequested',
    symbol: 'BTC/USDT',
    purpose: 'endOfData',
    time: 120_000,
  } as const

  it('closes everything at market and takes resting entries back', () => {
    const session = holding(4, enterLong({ scaleIn: true, order: { type: 'limit', price: 98 } }))
    session.kline(100)
    expect(session.process(flatten)).toEqual(['cancel 2', 'endOfData sell 4 market reduceOnly'])
  })

  it('takes resting exits back instead of relying on them', () => {
    const session = holding(4, exit({ order: { type: 'limit', price: 105 } }))
    session.kline(100)
    expect(session.process(flatten)).toEqual(['cancel 2', 'endOfData sell 4 market reduceOnly'])
  })

  it('leaves to a market exit on its way what that closes', () => {
    const session = holding(4, exit({ fraction: 0.25 }))
    session.kline(100)
    expect(session.process(flatten)).toEqual(['endOfData sell 3 market reduceOnly'])
  })

  it('does nothing when flat', () => {
    const session = new EngineSession(scripted({}))
    session.kline(100)
    expect(session.process(flatten)).toEqual([])
  })
})
