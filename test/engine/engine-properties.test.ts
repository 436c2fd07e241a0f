import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ZERO } from '../../src/domain/numbers/amount.ts'
import { enterLong } from '../../src/strategy/index.ts'
import { expectCovered } from './brackets/expect-covered.ts'
import { EngineSession, MARGIN, scripted } from './engine-session.ts'
import { anyHappenings, anyScript, play } from './random-events.ts'

/** JSON with bigints as text, so that outputs can be compared letter by letter. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `${part}n` : part))
}

describe('after every event', () => {
  it('each protective order is open for exactly what is held of its entry', () => {
    let seen = 0
    fc.assert(
      fc.property(anyScript, anyHappenings, (script, happenings) => {
        play(
          script,
          happenings,
          session => {
            seen += expectCovered(session)
          },
          { instrument: { ...MARGIN, minNotional: ZERO } },
        )
      }),
      { numRuns: 400 },
    )
    expect(seen).toBeGreaterThan(1000)
  })

  it('the position is what the fills add up to', () => {
    fc.assert(
      fc.property(anyScript, anyHappenings, (script, happenings) => {
        play(script, happenings, session => {
          let net = 0
          for (const { fill } of session.outputs.filter(output => output.type === 'fillBooked')) {
            net += fill.side === 'buy' ? fill.quantity : -fill.quantity
          }
          expect(Math.round(session.held * 1000)).toBe(net)
        })
      }),
    )
  })
})

describe('the engine', () => {
  it('gives the same outputs for the same events', () => {
    fc.assert(
      fc.property(anyScript, anyHappenings, (script, happenings) => {
        const first = play(script, happenings)
        const again = new EngineSession(scripted(Object.fromEntries(script.entries())), { quote: '100000' })
        const outputs = first.events.flatMap(event => again.engine.process(event))
        expect(outputs.map(textOf)).toEqual(first.outputs.map(textOf))
      }),
      { numRuns: 50 },
    )
  })

  it('names every order differently, in at most 31 characters of the exchange’s alphabet', () => {
    fc.assert(
      fc.property(anyScript, anyHappenings, (script, happenings) => {
        const ids = play(script, happenings).placed.map(({ clientOrderId }) => clientOrderId)
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(id).toMatch(/^[0-9a-z-]{1,31}$/)
      }),
    )
  })

  it('names orders by bot, strategy, instrument, market time and ordinal, so that a restart gives the same names', () => {
    const idsOf = () => {
      const session = new EngineSession(scripted({ 1: [enterLong(), enterLong({ scaleIn: true })] }))
      session.kline(100)
      session.kline(100)
      return session.placed.map(({ clientOrderId }) => clientOrderId)
    }
    const [first, second] = idsOf()
    expect(idsOf()).toEqual([first, second])
    // 120,000 ms in base 36 is 2klc.
    expect(first).toMatch(/^[0-9a-z]{13}-2klc-0$/)
    expect(second).toBe(first?.replace(/0$/, '1'))
  })

  it('changes nothing on a fill that it has seen', () => {
    const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 2 }, stopLoss: 95 }) }))
    session.kline(100)
    session.fill(1, 100, 1)
    const fill = session.events.at(-3)
    const before = [
      session.held,
      session.ledger.balances.of('USDT'),
      session.openQuantity(1),
      session.openQuantity(2),
    ]
    expect(fill?.type).toBe('filled')
    if (fill !== undefined) expect(session.engine.process(fill)).toEqual([])
    expect([
      session.held,
      session.ledger.balances.of('USDT'),
      session.openQuantity(1),
      session.openQuantity(2),
    ]).toEqual(before)
    expect(session.held).toBe(1)
  })
})
