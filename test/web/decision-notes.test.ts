import { describe, expect, it } from 'vitest'
import type { Explanation } from '../../src/domain/events/explanation.ts'
import { enterLong, exit, protect } from '../../src/strategy/index.ts'
import { decisionsOf } from '../../src/web/history/decision-builder.ts'
import { EngineSession, scripted } from '../engine/engine-session.ts'

it('says of an entry that places no order that it took the place of a waiting exit', () => {
  const session = new EngineSession(
    scripted({ 0: enterLong({ size: { base: 5 } }), 1: exit(), 2: enterLong() }),
  )
  session.kline(100)
  session.fill(1, 100)
  session.kline(100)
  session.update(2, 'rejected')
  const before = session.outputs.length
  expect(session.kline(100)).toEqual([])
  const outputs = session.outputs.slice(before)
  const event = session.events.findLast(({ type }) => type === 'klineClosed')
  if (event === undefined) throw new Error('There was no kline.')
  const [decision] = decisionsOf({ event, outputs, explanations: [], time: 0 }, () => session.instrument)
  expect(decision).toMatchObject({
    ...{ strategy: 'scripted', outcome: 'signal', orders: [] },
    notes: [
      'BTC/USDT exit of 5 BTC is not sent again: scripted has returned an entry in the direction of the position, which stays open.',
    ],
  })
})

/** Decisions of a bot on klines at 100, by the signals of each kline; what is ordered fills at the next. */
function decided(signals: Parameters<typeof scripted>[0], fills: Readonly<Record<number, number>> = {}) {
  const told: Explanation[] = []
  const session = new EngineSession(scripted(signals), { quote: '1000', isObserved: true })
  session.engine.explainTo(explanation => told.push(explanation))
  return [0, 1].map(kline => {
    const [from, place] = [session.outputs.length, told.length]
    session.kline(100)
    const event = session.events.findLast(({ type }) => type === 'klineClosed')
    if (event === undefined) throw new Error('There was no kline.')
    const taken = { event, outputs: session.outputs.slice(from), explanations: told.slice(place), time: 0 }
    const [decision] = decisionsOf(taken, () => session.instrument)
    if (fills[kline] !== undefined) session.fill(fills[kline], 100)
    return decision
  })
}

describe('a signal that led to no order', () => {
  const entry = enterLong({ size: { base: 5 }, stopLoss: 90 })

  it.each([
    [
      'an entry beside a position',
      { 0: entry, 1: enterLong({ order: { type: 'limit', price: 99 } }) },
      'LONG 5.000 BTC was held already: an entry adds to a position only with scaleIn.',
    ],
    [
      'a change of protection',
      { 0: entry, 1: protect({ stopLoss: 95 }) },
      'The protective orders of the position change: each new one is placed once the old one is canceled, in the decision that follows that.',
    ],
  ])('says why, of %s, and what was held', (_what, signals, idle) => {
    const [, decision] = decided(signals, { 0: 1 })
    expect(decision).toMatchObject({ outcome: 'signal', idle, owned: { held: 'LONG 5.000 BTC' } })
  })

  it.each([
    [exit(), 'Nothing was held to exit from.'],
    [protect({ stopLoss: 95 }), 'Nothing was held to protect.'],
  ])('says why, of %o without a position', (signal, idle) => {
    const [decision] = decided({ 0: signal })
    expect(decision).toMatchObject({
      ...{ outcome: 'signal', idle },
      owned: { held: 'nothing', equity: '1,000.00 USDT', free: '1,000.00 USDT' },
    })
  })

  it('says of an entry beside one at market that this was under way', () => {
    const [, decision] = decided({ 0: entry, 1: entry })
    expect(decision).toMatchObject({ outcome: 'signal', idle: expect.stringContaining('was under way') })
  })

  it('names what was owned on a kline without a signal, too', () => {
    const [, decision] = decided({ 0: entry }, { 0: 1 })
    expect(decision).toMatchObject({ outcome: 'nothing', owned: { held: 'LONG 5.000 BTC' } })
    expect(decision).not.toHaveProperty('idle')
  })
})
