import { describe, expect, it } from 'vitest'
import type { Signal } from '../../../src/domain/signal.ts'
import {
  atrTrail,
  breakeven,
  definePart,
  enterLong,
  enterShort,
  exit,
  leavingWith,
  type Part,
  timeStop,
} from '../../../src/strategy/index.ts'
import { EngineSession, scripted } from '../../engine/engine-session.ts'
import { composed, stopsAt } from './composed-session.ts'

describe('stops of parts', () => {
  /** One unit long since the first kline, at 100. */
  function held(entry: Signal, ...parts: Part[]): EngineSession {
    const session = composed({ 0: entry }, ...parts)
    session.kline(100)
    session.fill(1, 100)
    return session
  }

  it('come nearer and never move away', () => {
    const session = held(enterLong(), stopsAt(90, 85, 95))
    expect(session.kline(100)).toEqual(['stopLoss sell 1 stop 90 reduceOnly'])
    expect(session.kline(100)).toEqual([])
    expect(session.kline(100)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['stopLoss sell 1 stop 95 reduceOnly'])
  })

  it('are the nearest of all parts', () => {
    expect(held(enterLong(), stopsAt(90), stopsAt(93), stopsAt(91)).kline(100)).toEqual([
      'stopLoss sell 1 stop 93 reduceOnly',
    ])
  })

  it('work for shorts the other way round', () => {
    const session = held(enterShort(), stopsAt(110, 115, 105), stopsAt(112, 111, 120))
    expect(session.kline(100)).toEqual(['stopLoss buy 1 stop 110 reduceOnly'])
    expect(session.kline(100)).toEqual([])
    expect(session.kline(100)).toEqual(['cancel 2'])
  })

  it.each([
    ['a price', { stopLoss: 95 }],
    ['a fraction', { stopLoss: { fraction: 0.05 } }],
  ])('do not move away the stop-loss that an entry brought as %s', (_what, protection) => {
    const session = held(enterLong(protection), stopsAt(90, 96))
    expect(session.kline(100)).toEqual([])
    expect(session.kline(100)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['stopLoss sell 1 stop 96 reduceOnly'])
  })

  it('that the market has passed close the position', () => {
    expect(held(enterLong(), stopsAt(99)).kline(98)).toEqual(['exit sell 1 market reduceOnly'])
    expect(held(enterShort(), stopsAt(101)).kline(102)).toEqual(['exit buy 1 market reduceOnly'])
  })

  it('cover what was added to a position', () => {
    const session = composed({ 0: enterLong(), 2: enterLong({ scaleIn: true }) }, stopsAt(90, undefined, 90))
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    session.kline(100)
    session.fill(3, 100)
    expect(session.kline(100)).toEqual(['stopLoss sell 1 stop 90 reduceOnly'])
  })

  it('begin anew with another position', () => {
    const session = composed({ 0: enterLong(), 2: exit(), 3: enterLong() }, stopsAt(95, 80))
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100)).toEqual(['stopLoss sell 1 stop 95 reduceOnly'])
    session.kline(100)
    session.fill(3, 100)
    session.kline(100)
    session.fill(4, 90)
    expect(session.kline(90)).toEqual(['stopLoss sell 1 stop 80 reduceOnly'])
  })

  it('begin anew where another position follows before the next kline', () => {
    const session = composed(
      { 0: enterLong(), 1: enterLong({ scaleIn: true, order: { type: 'limit', price: 90 } }) },
      stopsAt(95, 80),
    )
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100).sort()).toEqual(['entry buy 1 limit 90', 'stopLoss sell 1 stop 95 reduceOnly'])
    const isStop = session.order(2).purpose === 'stopLoss'
    session.fill(isStop ? 2 : 3, 95)
    session.fill(isStop ? 3 : 2, 90)
    expect(session.kline(92)).toEqual(['stopLoss sell 1 stop 80 reduceOnly'])
  })

  it('of several kinds work together', () => {
    const session = composed(
      { 0: enterLong({ stopLoss: 90 }) },
      atrTrail({ klines: 1, multiple: 1 }),
      breakeven({ after: 0.9 }),
    )
    for (let kline = 0; kline < 3; kline++) session.kline(100)
    session.fill(1, 100)
    // The true ranges are 4 and 6: the trail is at 104 - 4 = 100, then at 110 - 6 = 104, nearer than the entry price.
    expect(session.kline(104)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['stopLoss sell 1 stop 100 reduceOnly'])
    expect(session.kline(110)).toEqual(['cancel 3'])
    expect(session.update(3, 'canceled')).toEqual(['stopLoss sell 1 stop 104 reduceOnly'])
  })
})

describe('exits of parts', () => {
  it('close the position once, even where the strategy does so itself', () => {
    for (const script of [{ 0: enterLong() }, { 0: enterLong(), 1: exit() }]) {
      const session = composed(script, timeStop({ klines: 1 }))
      session.kline(100)
      session.fill(1, 100)
      expect(session.kline(100)).toEqual(['exit sell 1 market reduceOnly'])
    }
  })

  it('leave the turning of a position to the strategy', () => {
    const session = composed({ 0: enterLong(), 1: enterShort() }, timeStop({ klines: 1 }))
    const plain = new EngineSession(scripted({ 0: enterLong(), 1: enterShort() }))
    for (const each of [session, plain]) {
      each.kline(100)
      each.fill(1, 100)
    }
    expect(session.kline(100)).toEqual(plain.kline(100))
  })

  it('go before what the strategy says besides', () => {
    const session = composed(
      { 0: enterLong(), 1: exit({ fraction: 0.5 }) },
      leavingWith(
        definePart({ name: 'never', allows: (_direction, { view }) => view.position.direction === 'flat' }),
      ),
    )
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100)[0]).toBe('exit sell 1 market reduceOnly')
  })
})
