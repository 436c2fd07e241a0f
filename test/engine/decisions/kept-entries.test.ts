import { describe, expect, it } from 'vitest'
import { cancelEntries, enterLong, enterShort, exit, targetPosition } from '../../../src/strategy/index.ts'
import { EngineSession, scripted } from '../engine-session.ts'

const bid = (price: number, tag?: string) =>
  enterLong({ order: { type: 'limit', price }, scaleIn: true, ...(tag !== undefined && { tag }) })
const level = (price: number, tag?: string) => ({ ...bid(price, tag), keep: true })

/** A session after its first kline. */
function started(script: Parameters<typeof scripted>[0]): EngineSession {
  const session = new EngineSession(scripted(script))
  session.kline(100)
  return session
}

describe('an entry that is to be kept', () => {
  it('stays when a later decision enters, and others are replaced', () => {
    const session = started({ 0: [level(98), bid(97)], 1: bid(96) })
    expect(session.kline(100)).toEqual(['cancel 2'])
    expect(session.update(2, 'canceled')).toEqual(['entry buy 1 limit 96'])
    expect(session.openQuantity(1)).toBe(1)
  })

  it('makes a grid over several decisions', () => {
    const session = started({ 0: level(98, 'a'), 1: level(97, 'b'), 2: level(96, 'c') })
    expect(session.kline(100)).toEqual(['entry buy 1 limit 97'])
    expect(session.kline(100)).toEqual(['entry buy 1 limit 96'])
    expect(session.ledger.orders.working).toHaveLength(3)
  })

  it('is replaced by an entry with its tag', () => {
    const session = started({ 0: [level(98, 'a'), level(97, 'b')], 1: level(98.5, 'a') })
    expect(session.kline(100)).toEqual(['cancel 1'])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 limit 98.5'])
    expect(session.openQuantity(2)).toBe(1)
  })

  it.each([
    ['a full exit', exit()],
    ['a target', targetPosition({ base: 0 })],
    ['a cancel of all', cancelEntries()],
    ['a cancel of its tag', cancelEntries({ tag: 'a' })],
  ])('goes with %s', (_name, signal) => {
    expect(started({ 0: level(98, 'a'), 1: signal }).kline(100)).toEqual(['cancel 1'])
  })

  it('stays through a cancel of another tag', () => {
    expect(started({ 0: level(98, 'a'), 1: cancelEntries({ tag: 'b' }) }).kline(100)).toEqual([])
  })

  it('that still waits for a cancel is not forgotten when a newer decision comes', () => {
    const session = started({ 0: bid(98), 1: level(97, 'a'), 2: level(96, 'b') })
    expect(session.kline(100)).toEqual(['cancel 1'])
    expect(session.kline(100)).toEqual(['cancel 1'])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 limit 97', 'entry buy 1 limit 96'])
  })

  it.each([
    ['an entry with its tag', bid(95, 'a'), ['entry buy 1 limit 95']],
    ['a cancel', cancelEntries(), []],
    ['a cancel of its tag', cancelEntries({ tag: 'a' }), []],
    ['a full exit', exit(), []],
  ])('that still waits is dropped by %s', (_name, signal, placed) => {
    const session = started({ 0: bid(98), 1: level(97, 'a'), 2: signal })
    session.kline(100)
    session.kline(100)
    expect(session.update(1, 'canceled')).toEqual(placed)
  })
})

describe('entries of a group', () => {
  const up = enterLong({ order: { type: 'stop', stopPrice: 105 }, oco: 'break', stopLoss: 101 })
  const down = enterShort({ order: { type: 'stop', stopPrice: 95 }, oco: 'break', stopLoss: 99 })

  it('are canceled by the first that fills', () => {
    const session = started({ 0: [up, down] })
    expect(session.fill(1, 105)).toEqual(['stopLoss sell 1 stop 101 reduceOnly', 'cancel 2: groupFilled'])
  })

  it('are canceled by a part of it', () => {
    const session = started({ 0: [up, down] })
    expect(session.fill(2, 95, 0.1)).toEqual(['stopLoss buy 0.1 stop 99 reduceOnly', 'cancel 1: groupFilled'])
    session.update(1, 'canceled')
    expect(session.fill(2, 95)).toEqual(['resize 3 to 1'])
  })

  it('leave entries of other groups and of none alone', () => {
    const other = { ...bid(90), oco: 'other' }
    const session = started({ 0: [up, down, other, bid(91)] })
    expect(session.fill(1, 105)).toContain('cancel 2: groupFilled')
    expect([session.openQuantity(3), session.openQuantity(4)]).toEqual([1, 1])
  })

  it('belong to one decision: the same name in a later one is another group', () => {
    const first = { ...level(98, 'a'), oco: 'pair' }
    const second = { ...level(97, 'b'), oco: 'pair' }
    const session = started({ 0: first, 1: second })
    session.kline(100)
    expect(session.fill(1, 98)).toEqual([])
    expect(session.openQuantity(2)).toBe(1)
  })

  it('that both fill before the cancel arrives are both kept, protected and reported', () => {
    const second = enterLong({ order: { type: 'stop', stopPrice: 106 }, oco: 'break', stopLoss: 102 })
    const session = started({ 0: [up, second] })
    session.fill(1, 105)
    expect(session.fill(2, 106)).toEqual(['stopLoss sell 1 stop 102 reduceOnly', 'group overfilled'])
    expect([session.held, session.openQuantity(3), session.openQuantity(4)]).toEqual([2, 1, 1])
  })
})
