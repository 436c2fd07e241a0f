import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { keepQuotes } from '../../../src/strategy/index.ts'
import { MARGIN } from '../engine-session.ts'
import { buy, sell, started } from './quote-session.ts'

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

  it('stays within a tolerance that is the difference but for float noise', () => {
    // 0.29 of 100 steps is 28.999999999999996 as a double.
    const instrument = { ...MARGIN, minNotional: amountOf('0') }
    const script = { 0: keepQuotes([buy(98, 0.1)]), 1: keepQuotes([buy(98, 0.1)], { tolerance: 0.29 }) }
    const { session } = started(script, { instrument })
    session.fill(1, 98, 0.029)
    expect(session.kline(100)).toEqual([])
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
