import { describe, expect, it } from 'vitest'
import { amountOf } from '../../src/domain/amount.ts'
import { cancelEntries, enterLong, exit, keepQuotes, targetPosition } from '../../src/strategy/index.ts'
import { DeskSession, MARGIN, type SessionOptions, SPOT, scripted } from './desk-session.ts'

const buy = (price: number, base = 1, tag?: string) =>
  ({ side: 'buy', price, size: { base }, ...(tag !== undefined && { tag }) }) as const
const sell = (price: number, base = 1, tag?: string) =>
  ({ side: 'sell', price, size: { base }, ...(tag !== undefined && { tag }) }) as const

/** A session after its first kline, at 100; `said` is what followed from it. */
function started(script: Parameters<typeof scripted>[0], options: SessionOptions = {}) {
  const session = new DeskSession(scripted(script), options)
  const said = session.kline(100)
  return { session, said }
}

/** Spot without fees, so that what is bought is what is held. */
const FREE_SPOT = { ...SPOT, fees: MARGIN.fees }

describe('a set of quotes', () => {
  it('is placed as post-only orders on both sides, in the order of its declaration', () => {
    const { said } = started({ 0: keepQuotes([buy(98), buy(99), sell(101, 2), sell(102)]) })
    expect(said).toEqual([
      'entry buy 1 postOnly 98',
      'entry buy 1 postOnly 99',
      'entry sell 2 postOnly 101',
      'entry sell 1 postOnly 102',
    ])
  })

  it('may take where it says so', () => {
    expect(started({ 0: keepQuotes([{ ...buy(99), postOnly: false }]) }).said).toEqual([
      'entry buy 1 limit 99',
    ])
  })

  it('costs nothing when it is declared again: no order, no notice', () => {
    const set = () => keepQuotes([buy(98), buy(99), sell(101)])
    const { session } = started({ 0: set(), 1: set(), 2: set() })
    const before = session.outputs.length
    expect([session.kline(100.5), session.kline(99.5)]).toEqual([[], []])
    expect(session.outputs.length).toBe(before)
  })

  it('leaves what is right where it is, cancels what is not wanted, and places what is missing', () => {
    const { session } = started({
      0: keepQuotes([buy(98), buy(99), sell(101)]),
      1: keepQuotes([buy(99), sell(101), sell(102)]),
    })
    expect(session.kline(100)).toEqual(['cancel 1', 'entry sell 1 postOnly 102'])
  })

  it('places what replaces something on the same side only once that is over', () => {
    const { session } = started({ 0: keepQuotes([buy(98), sell(102)]), 1: keepQuotes([buy(97), sell(102)]) })
    expect(session.kline(100)).toEqual(['cancel 1'])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 postOnly 97'])
  })

  it('waits for everything that leaves the side', () => {
    const { session } = started({ 0: keepQuotes([buy(98), buy(97)]), 1: keepQuotes([buy(96)]) })
    expect(session.kline(100)).toEqual(['cancel 1', 'cancel 2'])
    expect(session.update(2, 'canceled')).toEqual([])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 postOnly 96'])
  })

  it('takes off what filled while it was being canceled', () => {
    const { session } = started({
      0: keepQuotes([buy(98, 2)]),
      1: keepQuotes([buy(99, 2), buy(97, 1)]),
    })
    expect(session.kline(100)).toEqual(['cancel 1'])
    expect(session.fill(1, 98, 0.5)).toEqual([])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1.5 postOnly 99', 'entry buy 1 postOnly 97'])
  })

  it('places nothing for what filled whole while it was being canceled', () => {
    const { session } = started({ 0: keepQuotes([buy(98, 2)]), 1: keepQuotes([buy(99, 2), buy(97, 1)]) })
    session.kline(100)
    expect(session.fill(1, 98)).toEqual(['entry buy 1 postOnly 97'])
  })

  it('counts fills from the latest declaration on, which knows of those before', () => {
    const { session } = started({
      0: keepQuotes([buy(98, 2)]),
      1: keepQuotes([buy(99, 2)]),
      2: keepQuotes([buy(99.5, 1)]),
    })
    session.kline(100)
    session.fill(1, 98, 1.5)
    expect(session.kline(100)).toEqual([])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 postOnly 99.5'])
  })

  it('says what the latest declaration says, where several waited for one cancel', () => {
    const { session } = started({
      0: keepQuotes([buy(98)]),
      1: keepQuotes([buy(97)]),
      2: keepQuotes([buy(96)]),
    })
    expect([session.kline(100), session.kline(100)]).toEqual([['cancel 1'], []])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 postOnly 96'])
  })

  it('goes when an empty one is declared, and what waited goes with it', () => {
    const { session } = started({
      0: keepQuotes([buy(98), sell(102)]),
      1: keepQuotes([buy(97), sell(102)]),
      2: keepQuotes([]),
    })
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 2'])
    expect([session.update(1, 'canceled'), session.update(2, 'canceled')]).toEqual([[], []])
  })

  it('leaves sets of other names alone', () => {
    const { session } = started({
      0: [keepQuotes([buy(98)]), keepQuotes([buy(97)], { name: 'deep' })],
      1: keepQuotes([], { name: 'deep' }),
    })
    expect(session.kline(100)).toEqual(['cancel 2'])
  })

  it('is brought to the grid away from the market before it is compared', () => {
    const { session, said } = started({
      0: keepQuotes([buy(98.001), sell(101.999)]),
      1: keepQuotes([buy(98.009), sell(101.991)]),
    })
    expect(said).toEqual(['entry buy 1 postOnly 98', 'entry sell 1 postOnly 102'])
    expect(session.kline(100)).toEqual([])
  })

  it('keeps an order whose tag alone has changed, and the one with the right tag first', () => {
    const { session } = started({
      0: keepQuotes([buy(98, 1, 'a'), buy(98, 1, 'b')]),
      1: keepQuotes([buy(98, 1, 'b')]),
      2: keepQuotes([buy(98, 1, 'c')]),
    })
    expect([session.kline(100), session.kline(100)]).toEqual([['cancel 1'], []])
  })
})

describe('a quote that filled in part', () => {
  const again = (tolerance?: number) => ({
    0: keepQuotes([buy(98, 1)]),
    1: keepQuotes([buy(98, 1)], tolerance === undefined ? {} : { tolerance }),
  })

  it('counts as what is left of it: declared whole again, it is replaced', () => {
    const { session } = started(again())
    session.fill(1, 98, 0.4)
    expect(session.kline(100)).toEqual(['cancel 1'])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 postOnly 98'])
  })

  it.each([
    [0.4, []],
    [0.39, ['cancel 1']],
  ])('stays within the tolerance: %d of 1 left to differ', (tolerance, said) => {
    const { session } = started(again(tolerance))
    session.fill(1, 98, 0.4)
    expect(session.kline(100)).toEqual(said)
  })

  it('stays where what is left is what is declared', () => {
    const { session } = started({ 0: keepQuotes([buy(98, 1)]), 1: keepQuotes([buy(98, 0.6)]) })
    session.fill(1, 98, 0.4)
    expect(session.kline(100)).toEqual([])
  })

  it('that filled whole is placed anew by the next declaration, not before', () => {
    const { session } = started(again())
    expect(session.fill(1, 98)).toEqual([])
    expect(session.kline(100)).toEqual(['entry buy 1 postOnly 98'])
  })
})

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

describe('a quote that risk denies', () => {
  const twice = (set: ReturnType<typeof keepQuotes>, other = set) => ({ 0: set, 1: set, 2: other })

  it('is reported once, and does not keep the others from resting', () => {
    const { session, said } = started(twice(keepQuotes([buy(0.5, 1), buy(99, 1)])))
    expect(said).toEqual(['denied by minimumNotional', 'entry buy 1 postOnly 99'])
    expect(session.kline(100)).toEqual([])
  })

  it('is reported again when it changes', () => {
    const { session } = started(twice(keepQuotes([buy(0.5, 1)]), keepQuotes([buy(0.5, 2)])))
    session.kline(100)
    expect(session.kline(100)).toEqual(['denied by minimumNotional'])
  })

  it('is placed as soon as risk lets it', () => {
    const set = keepQuotes([buy(99, 1)])
    const { session, said } = started({ 0: set, 1: set, 2: set }, { instrument: FREE_SPOT, quote: '50' })
    expect([said, session.kline(100)]).toEqual([['denied by balance'], []])
    session.process({
      type: 'balancesReported',
      balances: new Map([['USDT', amountOf('1000')]]),
      time: session.time,
    })
    expect(session.kline(100)).toEqual(['entry buy 1 postOnly 99'])
  })

  it('by its size in equity is not bounded by what rests already: that would replace it for ever', () => {
    const part = (price: number) => ({ side: 'buy', price, size: { equityFraction: 0.6 } }) as const
    const set = keepQuotes([part(99), part(98)])
    const { session, said } = started({ 0: set, 1: set }, { instrument: FREE_SPOT, quote: '1000' })
    // 600 ÷ 99 and 600 ÷ 98, down to a thousandth; the second does not fit beside the first.
    expect(said).toEqual(['entry buy 6.06 postOnly 99', 'denied by balance'])
    expect(session.kline(100)).toEqual([])
  })
})

describe('a quote that the exchange sends back', () => {
  const set = keepQuotes([buy(99, 1)])

  it.each(['rejected', 'canceled'] as const)(
    '%s is not sent again at the same price, but at another',
    event => {
      const { session } = started({ 0: set, 1: set, 2: set })
      session.update(1, event)
      expect(session.kline(100)).toEqual([])
      expect(session.kline(100.01)).toEqual(['entry buy 1 postOnly 99'])
    },
  )

  it('does not hold back a quote at another price', () => {
    const { session } = started({ 0: set, 1: keepQuotes([buy(98, 1)]) })
    session.update(1, 'rejected')
    expect(session.kline(100)).toEqual(['entry buy 1 postOnly 98'])
  })

  it('was never placed is placed by the next declaration', () => {
    const { session } = started({ 0: set, 1: set })
    session.update(1, 'outcomeLost')
    session.update(1, 'notPlaced')
    expect(session.kline(100)).toEqual(['entry buy 1 postOnly 99'])
  })
})

describe('quotes beside other signals', () => {
  const set = keepQuotes([buy(98), sell(102)])

  it('stay when something is entered, and through a cancel of entries', () => {
    const { session } = started({
      0: set,
      1: enterLong({ order: { type: 'limit', price: 97 } }),
      2: cancelEntries(),
    })
    expect(session.kline(100)).toEqual(['entry buy 1 limit 97'])
    expect(session.kline(100)).toEqual(['cancel 3'])
  })

  it.each([
    ['a full exit', exit()],
    ['a target', targetPosition({ base: 0 })],
  ])('go with %s, and come back with the next declaration', (_name, signal) => {
    const { session } = started({ 0: set, 1: signal, 2: set })
    expect(session.kline(100)).toEqual(['cancel 1', 'cancel 2'])
    session.update(1, 'canceled')
    session.update(2, 'canceled')
    expect(session.kline(100)).toEqual(['entry buy 1 postOnly 98', 'entry sell 1 postOnly 102'])
  })

  it('that wait are dropped by a full exit', () => {
    const { session } = started({ 0: set, 1: keepQuotes([buy(97), sell(102)]), 2: exit() })
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 1', 'cancel 2'])
    expect([session.update(1, 'canceled'), session.update(2, 'canceled')]).toEqual([[], []])
  })

  it('of one decision come after its exit', () => {
    const { session } = started(
      {
        0: enterLong({ size: { base: 2 } }),
        1: keepQuotes([sell(101, 2)]),
        2: [keepQuotes([sell(102, 2)]), exit()],
      },
      { instrument: FREE_SPOT },
    )
    session.fill(1, 100)
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['exit sell 2 market reduceOnly'])
  })
})

describe('what holds trading back', () => {
  it('takes quotes that may open something, lets none follow, and says why once', () => {
    const set = keepQuotes([buy(98), sell(102)])
    const other = keepQuotes([buy(97), sell(102)])
    const { session } = started({ 0: set, 1: other, 2: other, 3: other, 4: other })
    session.kline(100)
    expect(session.command('reduce')).toEqual(['account reducing', 'cancel 1', 'cancel 2'])
    expect([session.update(1, 'canceled'), session.update(2, 'canceled')]).toEqual([[], []])
    expect(session.kline(100)).toEqual(['denied by tradingState', 'denied by tradingState'])
    expect(session.kline(100)).toEqual([])
    session.command('resume')
    expect(session.kline(100)).toEqual(['entry buy 1 postOnly 97', 'entry sell 1 postOnly 102'])
  })

  it('leaves sells that close what a spot account holds', () => {
    const { session } = started(
      { 0: enterLong({ size: { base: 1 } }), 1: keepQuotes([buy(98), sell(102)]) },
      { instrument: FREE_SPOT },
    )
    session.fill(1, 100)
    session.kline(100)
    expect(session.command('reduce')).toEqual(['account reducing', 'cancel 2'])
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
