import { expect, it } from 'vitest'
import { Engine } from '../../../src/engine/engine.ts'
import type { EngineState } from '../../../src/engine/engine-state.ts'
import { fromJournalText, journalText } from '../../../src/journal/journal-text.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { enterLong, exit } from '../../../src/strategy/index.ts'
import { EngineSession, MARGIN, scripted } from '../engine-session.ts'

it('forgets the best price of an entry that closed, however many parts of a later one are open', () => {
  const strategy = scripted({ 0: enterLong(), 1: enterLong({ scaleIn: true }), 2: exit({ fraction: 0.5 }) })
  const session = new EngineSession(strategy)
  session.kline(100)
  session.fill(1, 100)
  session.kline(101)
  session.fill(2, 101, 0.5)
  session.fill(2, 101)
  session.kline(102)
  expect(bestsOf(session.engine)).toEqual([102, 102])
  session.fill(3, 102)
  session.kline(103)
  expect(bestsOf(session.engine)).toEqual([103])

  const again = new Engine({
    bot: 'test',
    ledger: new Ledger([MARGIN], []),
    strategies: [{ strategy, parameters: {}, symbol: 'BTC/USDT', interval: '1m', size: { base: 1 } }],
  })
  // What `snapshot` gave.
  again.restore(fromJournalText(journalText(session.engine.snapshot())) as EngineState, () => [])
  session.kline(104)
  for (const event of session.events.slice(-1)) again.process(event)
  expect(journalText(again.snapshot())).toBe(journalText(session.engine.snapshot()))
})

function bestsOf(engine: Engine): readonly number[] {
  return engine
    .snapshot()
    .desks.flatMap(({ markets }) => markets.flatMap(({ bests = [] }) => bests.map(([, best]) => best)))
}
