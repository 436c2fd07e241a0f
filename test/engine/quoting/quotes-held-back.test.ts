import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { cancelEntries, enterLong, exit, keepQuotes, targetPosition } from '../../../src/strategy/index.ts'
import { buy, FREE_SPOT, sell, started } from './quote-session.ts'

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
