import { describe, expect, it } from 'vitest'
import type { TakeProfit } from '../../../src/domain/signal.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { EngineSession, MARGIN, scripted } from '../engine-session.ts'

const halves: TakeProfit = [
  { at: 105, fraction: 0.5 },
  { at: 110, fraction: 0.5 },
]

/** A session that bought `base` at 100 with a stop-loss at 95. */
function bought(base: number, takeProfit: TakeProfit, script = {}): [EngineSession, string[]] {
  const entry = enterLong({ size: { base }, stopLoss: 95, takeProfit })
  const session = new EngineSession(scripted({ 0: entry, ...script }))
  session.kline(100)
  return [session, session.fill(1, 100)]
}

describe('a take-profit in parts', () => {
  it('is one order a part, beside a stop-loss of the whole', () => {
    expect(bought(4, halves)[1]).toEqual([
      'stopLoss sell 4 stop 95 reduceOnly',
      'takeProfit sell 2 limit 105 reduceOnly',
      'takeProfit sell 2 limit 110 reduceOnly',
    ])
  })

  it('counts its distances from the entry, each way', () => {
    const takeProfit = [
      { at: { fraction: 0.01 }, fraction: 0.25 },
      { at: { fraction: 0.02 }, fraction: 0.5 },
    ]
    const session = new EngineSession(scripted({ 0: enterShort({ size: { base: 4 }, takeProfit }) }))
    session.kline(100)
    expect(session.fill(1, 100)).toEqual([
      'takeProfit buy 1 limit 99 reduceOnly',
      'takeProfit buy 2 limit 98 reduceOnly',
    ])
  })

  it('leaves no step over where the parts are the whole', () => {
    const thirds = [1, 2, 3].map(n => ({ at: 100 + n, fraction: 1 / 3 }))
    const [session] = bought(1, thirds)
    // 1000 steps: the parts end at 333.3, 666.7 and 1000, so that they have 333, 333 and 334.
    expect([2, 3, 4, 5].map(number => session.openQuantity(number))).toEqual([1, 0.333, 0.333, 0.334])
  })

  it('leaves no step over where the parts are the whole but for how they were written', () => {
    const thirds = [1, 2, 3].map(n => ({ at: 100 + n, fraction: 0.3333333333 }))
    const [session] = bought(1, thirds)
    expect([3, 4, 5].map(number => session.openQuantity(number))).toEqual([0.333, 0.333, 0.334])
  })

  it('is taken back once, and left alone while its cancel is on its way', () => {
    const [session] = bought(4, halves, { 1: exit({ fraction: 0.5 }), 2: exit({ fraction: 0.5 }) })
    session.kline(100)
    expect(session.fill(5, 100)).toEqual(['resize 2 to 2', 'cancel 4'])
    session.kline(100)
    expect(session.fill(6, 100)).toEqual(['resize 2 to 1', 'resize 3 to 1'])
  })

  it('shrinks the stop-loss as parts are taken, and goes with it', () => {
    const [session] = bought(4, halves)
    expect(session.fill(3, 105)).toEqual(['resize 2 to 2'])
    expect(session.fill(4, 110, 1)).toEqual(['resize 2 to 1'])
    expect(session.fill(2, 95)).toEqual(['cancel 4'])
    expect(session.held).toBe(0)
  })

  it('gives up its last parts first where something else closes a part of the position', () => {
    const [session] = bought(4, halves, { 1: exit({ fraction: 0.25 }), 2: exit({ fraction: 0.5 }) })
    session.kline(100)
    expect(session.fill(5, 100)).toEqual(['resize 2 to 3', 'resize 4 to 1'])
    session.kline(100)
    // 1.5 are left: all of them are the first part's.
    expect(session.fill(6, 100)).toEqual(['resize 2 to 1.5', 'resize 3 to 1.5', 'cancel 4'])
  })

  it('grows with an entry that fills in parts, also where a part was taken already', () => {
    const entry = enterLong({ order: { type: 'limit', price: 100 }, size: { base: 4 }, takeProfit: halves })
    const session = new EngineSession(scripted({ 0: entry }))
    session.kline(101)
    expect(session.fill(1, 100, 2)).toEqual([
      'takeProfit sell 1 limit 105 reduceOnly',
      'takeProfit sell 1 limit 110 reduceOnly',
    ])
    expect(session.fill(2, 105)).toEqual([])
    // Of 4 bought the first half is 2, of which 1 is sold.
    expect(session.fill(1, 100)).toEqual(['takeProfit sell 1 limit 105 reduceOnly', 'resize 3 to 2'])
    expect(session.fill(4, 105)).toEqual([])
    expect(session.openQuantity(3)).toBe(2)
  })

  it('leaves a part that is too small to the stop-loss', () => {
    const [session, words] = bought(0.06, halves)
    // 0.03 × 105 = 3.15 USDT, below the smallest order of 5.
    expect(words).toEqual([
      'stopLoss sell 0.06 stop 95 reduceOnly',
      'denied by minimumNotional',
      'denied by minimumNotional',
    ])
    expect(session.openQuantity(2)).toBe(0.06)
  })

  it('sends what is left of a part again after the exchange canceled it', () => {
    const [session] = bought(4, halves)
    session.fill(3, 105, 0.5)
    expect(session.update(3, 'canceled')).toEqual(['takeProfit sell 1.5 limit 105 reduceOnly'])
    expect(session.fill(5, 105)).toEqual(['resize 2 to 2'])
  })

  it('is denied whole where one part lies on the wrong side', () => {
    const takeProfit = [
      { at: 105, fraction: 0.5 },
      { at: 99, fraction: 0.5 },
    ]
    const session = new EngineSession(scripted({ 0: enterLong({ takeProfit }) }), { instrument: MARGIN })
    expect(session.kline(100)).toEqual(['denied by protection'])
  })
})
