import { describe, expect, it } from 'vitest'
import type { EnterSignal, Signal } from '../../../src/domain/signal.ts'
import { defineStrategy, enterLong, exit, protect } from '../../../src/strategy/index.ts'
import { EngineSession, SPOT, scripted } from '../engine-session.ts'

const bid = (expiresAfter: NonNullable<EnterSignal['expiresAfter']>) =>
  enterLong({ order: { type: 'limit', price: 98 }, expiresAfter })

/** What the first klines after the decision lead to. */
function afterwards(signal: Signal, klines: number): string[][] {
  const session = new EngineSession(scripted({ 0: signal }))
  session.kline(100)
  return Array.from({ length: klines }, () => {
    const words = session.kline(100)
    if (words.length > 0) session.update(1, 'expired')
    return words
  })
}

describe('an order with a time to live', () => {
  it('is taken back at the close of the last kline that it may see', () => {
    expect(afterwards(bid({ klines: 1 }), 2)).toEqual([['cancel 1: expired'], []])
    expect(afterwards(bid({ klines: 3 }), 4)).toEqual([[], [], ['cancel 1: expired'], []])
  })

  it('in ms is taken back at the first close at or after that time', () => {
    expect(afterwards(bid({ ms: 60_000 }), 2)).toEqual([['cancel 1: expired'], []])
    expect(afterwards(bid({ ms: 60_001 }), 2)).toEqual([[], ['cancel 1: expired']])
    expect(afterwards(bid({ ms: 1 }), 1)).toEqual([['cancel 1: expired']])
  })

  it('leads to nothing else before', () => {
    const session = new EngineSession(scripted({ 0: bid({ klines: 3 }) }))
    session.kline(100)
    const before = session.outputs.length
    session.kline(100)
    expect(session.outputs.slice(before)).toEqual([])
  })

  it('ends expired', () => {
    const session = new EngineSession(scripted({ 0: bid({ klines: 1 }) }))
    session.kline(100)
    session.kline(100)
    session.update(1, 'expired')
    expect(session.ledger.orders.get(session.order(1).clientOrderId)?.status).toBe('expired')
  })

  it('that filled in time is left alone, and so is the protection of what it holds', () => {
    const entry = { ...bid({ klines: 2 }), stopLoss: 95 }
    const session = new EngineSession(scripted({ 0: entry }))
    session.kline(100)
    session.fill(1, 98)
    expect([session.kline(100), session.kline(100), session.kline(100)]).toEqual([[], [], []])
    expect(session.openQuantity(2)).toBe(1)
  })

  it('keeps what filled of it in part', () => {
    const session = new EngineSession(scripted({ 0: { ...bid({ klines: 1 }), stopLoss: 95 } }))
    session.kline(100)
    session.fill(1, 98, 0.4)
    expect(session.kline(100)).toEqual(['cancel 1: expired'])
    session.update(1, 'expired')
    expect([session.held, session.openQuantity(2)]).toEqual([0.4, 0.4])
  })

  it('is asked for again at the next close while its cancel is not confirmed', () => {
    const session = new EngineSession(scripted({ 0: bid({ klines: 1 }) }))
    session.kline(100)
    expect([session.kline(100), session.kline(100)]).toEqual([['cancel 1: expired'], ['cancel 1: expired']])
  })

  it('is taken back once where a new decision replaces it on that very kline', () => {
    const next = enterLong({ order: { type: 'limit', price: 97 } })
    const session = new EngineSession(scripted({ 0: bid({ klines: 1 }), 1: next }))
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 1: expired'])
    expect(session.update(1, 'expired')).toEqual(['entry buy 1 limit 97'])
  })

  it('may be an exit', () => {
    const order = { type: 'limit', price: 110 } as const
    const session = new EngineSession(
      scripted({ 0: enterLong(), 1: exit({ order, expiresAfter: { klines: 1 } }) }),
    )
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 2: expired'])
  })

  it.each([{ klines: 3 }, { ms: 180_000 }])(
    'keeps its deadline where another exit makes it smaller, once and again: %o',
    expiresAfter => {
      const half = exit({ fraction: 0.5 })
      const resting = exit({ order: { type: 'limit', price: 110 }, expiresAfter })
      const session = new EngineSession(scripted({ 0: enterLong(), 1: resting, 2: half, 3: half }))
      session.kline(100)
      session.fill(1, 100)
      // It may see three klines: those that close at 3:00, 4:00 and 5:00.
      expect(session.kline(100)).toEqual(['exit sell 1 limit 110 reduceOnly'])
      expect(session.kline(100)).toEqual(['exit sell 0.5 market reduceOnly', 'cancel 2'])
      session.fill(3, 100)
      expect(session.update(2, 'canceled')).toEqual(['exit sell 0.5 limit 110 reduceOnly'])
      expect(session.kline(100)).toEqual(['exit sell 0.25 market reduceOnly', 'cancel 4'])
      session.fill(5, 100)
      expect(session.update(4, 'canceled')).toEqual(['exit sell 0.25 limit 110 reduceOnly'])
      expect(session.kline(100)).toEqual(['cancel 6: expired'])
    },
  )

  it('does not rest again where another exit makes it smaller on its last kline', () => {
    const resting = exit({ order: { type: 'limit', price: 110 }, expiresAfter: { klines: 1 } })
    const session = new EngineSession(scripted({ 0: enterLong(), 1: resting, 2: exit({ fraction: 0.5 }) }))
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    expect(session.kline(100)).toEqual(['cancel 2: expired', 'exit sell 0.5 market reduceOnly'])
    session.fill(3, 100)
    expect(session.update(2, 'expired')).toEqual([])
    expect(session.kline(100)).toEqual([])
  })

  describe('on its last kline', () => {
    const part = (fraction: number) =>
      exit({ fraction, order: { type: 'limit', price: 110 }, expiresAfter: { klines: 1 } })
    const room = { 0: enterLong(), 1: part(0.6) }

    /** Holds 1 BTC, of which an exit (order 2) ends with the kline just closed; returns what that led to as well. */
    function ending(next: Signal | readonly Signal[]): { session: EngineSession; words: string[] } {
      const session = new EngineSession(scripted({ ...room, 2: next }))
      session.kline(100)
      session.fill(1, 100)
      session.kline(100)
      return { session, words: session.kline(100) }
    }

    it('leaves its part of the position to the exit that is decided then, once it is over', () => {
      const { session, words } = ending(part(0.6))
      expect(words).toEqual(['cancel 2: expired'])
      expect(session.update(2, 'expired')).toEqual(['exit sell 0.6 limit 110 reduceOnly'])
    })

    it('leaves what it traded meanwhile out of that exit', () => {
      const { session } = ending(part(0.6))
      session.fill(2, 110, 0.5)
      expect(session.update(2, 'expired')).toEqual(['exit sell 0.3 limit 110 reduceOnly'])
    })

    it('holds up no exit at market and no change of protection', () => {
      expect(ending(exit({ fraction: 0.5 })).words).toEqual([
        'cancel 2: expired',
        'exit sell 0.5 market reduceOnly',
      ])
      expect(ending(protect({ stopLoss: 95 })).words).toEqual([
        'cancel 2: expired',
        'stopLoss sell 1 stop 95 reduceOnly',
      ])
    })

    it('is waited for by later decisions as well, while its cancel is not confirmed', () => {
      const session = new EngineSession(scripted({ ...room, 3: part(0.7) }))
      session.kline(100)
      session.fill(1, 100)
      for (const words of [
        ['exit sell 0.6 limit 110 reduceOnly'],
        ['cancel 2: expired'],
        ['cancel 2: expired'],
      ])
        expect(session.kline(100)).toEqual(words)
      expect(session.update(2, 'expired')).toEqual(['exit sell 0.7 limit 110 reduceOnly'])
    })

    it('leaves its money to the entry that is decided then', () => {
      const kept = { ...bid({ klines: 1 }), keep: true, size: { equityFraction: 0.9 }, tag: 'kept' }
      const script = { 0: kept, 1: enterLong({ size: { equityFraction: 0.9 } }) }
      const session = new EngineSession(scripted(script), { instrument: SPOT, quote: '1000' })
      session.kline(100)
      expect(session.kline(100)).toEqual(['cancel 1: expired'])
      expect(session.update(1, 'expired')).toEqual(['entry buy 9 market'])
    })

    it('is not shown among the orders that can still trade', () => {
      const seen: number[] = []
      const watching = defineStrategy({
        name: 'watching',
        state: () => ({ row: -1 }),
        onKline(_kline, { state, orders }) {
          seen.push(orders.length)
          return ++state.row === 0 ? bid({ klines: 2 }) : undefined
        },
      })
      const session = new EngineSession(watching)
      for (let kline = 0; kline < 4; kline++) session.kline(100)
      expect(seen).toEqual([0, 1, 0, 0])
    })
  })

  it('expires after its strategy failed', () => {
    const failing = defineStrategy({
      name: 'failing',
      state: () => ({ row: -1 }),
      onKline(_kline, { state }) {
        if (++state.row === 0) return enterLong()
        if (state.row === 1)
          return exit({ order: { type: 'limit', price: 110 }, expiresAfter: { klines: 2 } })
        throw new Error('broken')
      },
    })
    const session = new EngineSession(failing)
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    expect(session.kline(100)).toEqual(['strategy failed'])
    expect(session.kline(100)).toEqual(['cancel 2: expired'])
  })

  it('counts from its decision, not from the moment its cancel let it go', () => {
    const script = { 0: enterLong({ order: { type: 'limit', price: 97 } }), 1: bid({ klines: 2 }) }
    const session = new EngineSession(scripted(script))
    session.kline(100)
    session.kline(100)
    session.kline(100)
    expect(session.update(1, 'canceled')).toEqual(['entry buy 1 limit 98'])
    expect(session.kline(100)).toEqual(['cancel 2: expired'])
  })
})
