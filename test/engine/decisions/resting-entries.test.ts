import { describe, expect, it } from 'vitest'
import type { Signal } from '../../../src/domain/signal.ts'
import {
  cancelEntries,
  enterLong,
  enterShort,
  exit,
  protect,
  targetPosition,
} from '../../../src/strategy/index.ts'
import { EngineSession, scripted } from '../engine-session.ts'

const bid = (price: number, tag?: string) =>
  enterLong({ order: { type: 'limit', price }, ...(tag !== undefined && { tag }) })
const offer = (price: number) => enterShort({ order: { type: 'limit', price } })

describe('entries of a new decision', () => {
  it('wait until the resting ones are canceled', () => {
    const session = new EngineSession(scripted({ 0: bid(99), 1: bid(98) }))
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 1'])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 limit 98'])
  })

  it('hold up neither an exit nor a change of protection', () => {
    const more = enterLong({ order: { type: 'limit', price: 95 }, scaleIn: true })
    const wordsOf = (signals: Signal | readonly Signal[]) => {
      const session = new EngineSession(scripted({ 0: enterLong(), 1: more, 2: signals }))
      session.kline(100)
      session.fill(1, 100)
      session.kline(100)
      return session.kline(100)
    }
    expect(wordsOf(exit())).toEqual(['cancel 2', 'exit sell 1 market reduceOnly'])
    expect(wordsOf([cancelEntries(), protect({ stopLoss: 90 })])).toEqual([
      'cancel 2',
      'stopLoss sell 1 stop 90 reduceOnly',
    ])
  })

  it('that wait are protected as a later change says, in place of one that waits with them', () => {
    const list = [enterLong(), protect({ stopLoss: 90 })]
    const session = new EngineSession(scripted({ 0: bid(99), 1: list, 2: protect({ stopLoss: 95 }) }))
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 1'])
    expect(session.kline(100)).toEqual([])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 market'])
    expect(session.fill(2, 100)).toEqual(['stopLoss sell 1 stop 95 reduceOnly'])
  })

  it('take the place of those that wait, also in a list that changes protection', () => {
    const list = [protect({ stopLoss: 90 }), enterLong({ size: { base: 2 } })]
    const session = new EngineSession(scripted({ 0: bid(99), 1: enterLong(), 2: list }))
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 1'])
    session.kline(100)
    expect(session.update(1, 'canceled')).toEqual(['entry buy 2 market'])
  })

  it('wait for the last of several', () => {
    const session = new EngineSession(scripted({ 0: [bid(99), offer(101)], 1: bid(98) }))
    expect(session.kline(100)).toEqual(['entry buy 1 limit 99', 'entry sell 1 limit 101'])
    expect(session.kline(100)).toEqual(['cancel 1', 'cancel 2'])
    expect(session.update(2, 'canceled')).toEqual([])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 limit 98'])
  })

  it('are dropped where the order to be replaced filled instead', () => {
    const session = new EngineSession(scripted({ 0: bid(99), 1: bid(98) }))
    session.kline(100)
    session.kline(100)
    expect(session.fill(1, 99)).toEqual([])
    expect(session.ledger.orders.working.length).toBe(0)
    expect(session.held).toBe(1)
  })

  it('are dropped where it filled in part before it was canceled', () => {
    const session = new EngineSession(scripted({ 0: bid(99), 1: bid(98) }))
    session.kline(100)
    session.kline(100)
    expect(session.fill(1, 99, 0.4)).toEqual([])
    expect(session.update(1, 'canceled')).toEqual([])
    expect(session.held).toBe(0.4)
  })

  it('bring a target to its size, whatever filled in the meantime', () => {
    const session = new EngineSession(scripted({ 0: bid(99), 1: targetPosition({ base: 3 }) }))
    session.kline(100)
    session.kline(100)
    session.fill(1, 99, 0.4)
    expect(session.update(1, 'canceled')).toEqual(['entry buy 2.6 market'])
  })

  it('close what filled in the meantime when they point the other way', () => {
    const session = new EngineSession(scripted({ 0: bid(99), 1: enterShort() }))
    session.kline(100)
    session.kline(100)
    expect(session.fill(1, 99)).toEqual(['exit sell 1 market reduceOnly', 'entry sell 1 market'])
  })

  it('are forgotten when a still newer decision comes first', () => {
    const session = new EngineSession(scripted({ 0: bid(99), 1: bid(98), 2: bid(97) }))
    session.kline(100)
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 1'])
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 limit 97'])
  })

  it('do not wait when nothing rests, and leave market orders on their way alone', () => {
    const session = new EngineSession(scripted({ 0: enterLong(), 1: bid(98) }))
    session.kline(100)
    expect(session.kline(100)).toEqual([])
    expect(session.ledger.orders.working.length).toBe(1)
  })
})

describe('resting entries', () => {
  it('are canceled by a full exit, even when flat', () => {
    const session = new EngineSession(scripted({ 0: bid(99), 1: exit() }))
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 1'])
    expect(session.update(1, 'canceled')).toEqual([])
  })

  it('stay through a partial exit and through a kline without signals', () => {
    const script = { 0: enterLong(), 1: enterLong({ scaleIn: true, order: { type: 'limit', price: 98 } }) }
    const session = new EngineSession(scripted({ ...script, 2: exit({ fraction: 0.5 }) }))
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    expect(session.kline(100)).toEqual(['exit sell 0.5 market reduceOnly'])
    expect(session.kline(100)).toEqual([])
    expect(session.openQuantity(2)).toBe(1)
  })

  it('are canceled by tag', () => {
    const session = new EngineSession(
      scripted({
        0: [bid(99, 'near'), bid(95, 'far'), offer(101)],
        1: cancelEntries({ tag: 'far' }),
        2: cancelEntries(),
      }),
    )
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 2'])
    session.update(2, 'canceled')
    expect(session.kline(100)).toEqual(['cancel 1', 'cancel 3'])
  })

  it('do not count protective orders among them', () => {
    const session = new EngineSession(scripted({ 0: enterLong({ stopLoss: 95 }), 1: cancelEntries() }))
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100)).toEqual([])
  })
})
