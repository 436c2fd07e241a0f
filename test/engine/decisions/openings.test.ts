import { describe, expect, it } from 'vitest'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { EngineSession, scripted } from '../engine-session.ts'

/** An opening, by default at 100; `again` says that it was seen before. */
function open(session: EngineSession, price = 100, again = false): string[] {
  const event = { type: 'openingSeen', symbol: 'BTC/USDT', price: ticks(price * 100) } as const
  return session.process({ ...event, time: session.time, ...(again && { again: true as const }) })
}

describe('where entries are sized at openings', () => {
  it('one waits for the next opening, and is sized by its price', () => {
    const session = new EngineSession(scripted({ 0: enterLong({ size: { quote: 1000 } }) }), {
      sizingReference: 'nextOpen',
    })
    expect(session.kline(100)).toEqual([])
    expect(open(session, 80)).toEqual(['entry buy 12.5 market'])
  })

  it('one that was decided at an opening, by a fill there, waits for the opening after that', () => {
    const adding = defineStrategy({
      name: 'adding',
      state: () => ({ row: 0 }),
      onKline: (_kline, { state }) => (state.row++ === 0 ? enterLong({ tag: 'first' }) : undefined),
      onFill: ({ tag }) => (tag === 'first' ? enterLong({ scaleIn: true }) : undefined),
    })
    const session = new EngineSession(adding, { sizingReference: 'nextOpen' })
    session.kline(100)
    expect(open(session)).toEqual(['entry buy 1 market'])
    expect(session.fill(1, 100)).toEqual([])
    expect(open(session, 100, true)).toEqual([])
    expect(session.kline(100)).toEqual([])
    expect(open(session)).toEqual(['entry buy 1 market'])
  })
})
