import { describe, expect, it } from 'vitest'
import {
  atrRisk,
  compose,
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  fixedFraction,
  protect,
  targetPosition,
} from '../../../src/strategy/index.ts'
import { EngineSession } from '../../engine/engine-session.ts'
import { composed, switchedOff } from './composed-session.ts'

describe('a filter', () => {
  const off = { off: true }

  it('holds entries back', () => {
    const session = composed({ 0: enterLong(), 1: enterShort() }, switchedOff(off))
    expect([session.kline(100), session.kline(100)]).toEqual([[], []])
  })

  it('holds back what another allows', () => {
    const session = composed({ 0: enterLong() }, switchedOff({ off: false }), switchedOff(off))
    expect(session.kline(100)).toEqual([])
  })

  it('lets exits and everything else pass', () => {
    const flag = { off: false }
    const session = composed(
      { 0: enterLong({ stopLoss: 90 }), 1: protect({ stopLoss: 95 }), 2: exit() },
      switchedOff(flag),
    )
    session.kline(100)
    session.fill(1, 100)
    flag.off = true
    expect(session.kline(100)).toEqual(['cancel 2'])
    session.update(2, 'canceled')
    expect(session.kline(100).at(-1)).toBe('exit sell 1 market reduceOnly')
  })

  it.each([
    ['more', { base: 3 }, []],
    ['less', { base: 1 }, ['exit sell 1 market reduceOnly']],
    ['nothing', { base: 0 }, ['exit sell 2 market reduceOnly']],
    ['more, by worth', { quote: 210 }, []],
    ['less, by worth', { quote: 100 }, ['exit sell 1 market reduceOnly']],
    ['more, by equity', { equityFraction: 0.021 }, []],
    ['less, by equity', { equityFraction: 0.01 }, ['exit sell 1 market reduceOnly']],
    ['the other side', { base: -1 }, ['exit sell 2 market reduceOnly']],
  ] as const)('lets a target make two units smaller, not larger: %s', (_what, size, expected) => {
    const flag = { off: false }
    const session = composed(
      { 0: enterLong({ size: { base: 2 } }), 1: targetPosition(size) },
      switchedOff(flag),
    )
    session.kline(100)
    session.fill(1, 100)
    flag.off = true
    expect(session.kline(100)).toEqual(expected)
  })

  it('keeps a target from opening a position', () => {
    expect(composed({ 0: targetPosition({ base: 1 }) }, switchedOff(off)).kline(100)).toEqual([])
  })

  it('concerns what is signaled on fills and orders too', () => {
    const again = defineStrategy({
      name: 'again',
      onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : undefined),
      onFill: () => enterLong({ scaleIn: true }),
    })
    const flag = { off: false }
    const session = new EngineSession(compose(again, { name: 'composed', parts: () => [switchedOff(flag)] }))
    session.kline(100)
    flag.off = true
    expect(session.fill(1, 100)).toEqual([])
  })
})

describe('sizing', () => {
  it('takes the place of the size of an entry, and gives it a stop', () => {
    // The first is asked for when there is an ATR of one kline: 10; half a percent of 10000 at a stop 20 away is 2.5 units.
    const session = composed(
      { 0: enterLong({ size: { base: 9 } }) },
      atrRisk({ klines: 1, multiple: 2, fraction: 0.005 }),
    )
    expect([100, 110].map(price => session.kline(price))).toEqual([[], []])
    expect(session.kline(120)).toEqual(['entry buy 2.5 market'])
    expect(session.fill(1, 120)).toEqual(['stopLoss sell 2.5 stop 100 reduceOnly'])
  })

  it('goes by the last part that names one', () => {
    const session = composed({ 0: enterLong() }, fixedFraction(0.5), fixedFraction(0.1))
    expect(session.kline(100)).toEqual(['entry buy 10 market'])
  })
})
