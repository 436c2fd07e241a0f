import { describe, expect, it } from 'vitest'
import { replayJournal } from '../../src/bot/state/replay-journal.ts'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { guardedStrategy } from '../../src/sandbox/guarded-strategy.ts'
import { StrategyScope } from '../../src/sandbox/strategy-scope.ts'
import { defineStrategy, enterLong, type Strategy } from '../../src/strategy/index.ts'
import { journalPath } from '../journal/journal-session.ts'
import { MINUTE } from '../simulator/exchange-caller.ts'
import { BotSession } from './bot-session.ts'

/** Keeps a bid at 90 on the book, and does something after each kline. */
const bidding = (careless: () => void): Strategy =>
  defineStrategy({
    name: 'careless',
    onKline: (_kline, { orders, position }) => {
      if (orders.length > 0 || position.direction !== 'flat') careless()
      return orders.length === 0 ? enterLong({ order: { type: 'limit', price: 90 } }) : undefined
    },
  })

/** As `loadStrategy` makes it. */
const loaded = (careless: () => void) => guardedStrategy(bidding(careless), new StrategyScope())

const CLOCK = 'A strategy must not use Date.now(): it tells the time of the computer'
const USES: readonly (readonly [string, () => void, string])[] = [
  ['reads the clock', () => Date.now(), CLOCK],
  ['reads the clock and catches the error', caught(() => Date.now()), CLOCK],
  [
    'reads the clock in a promise',
    () => void Promise.resolve().then(Date.now).catch(() => {}), // biome-ignore format: one line
    CLOCK,
  ],
  ['starts a timer', caught(() => setInterval(() => {}, 1000)), 'timers: { hourly: every('],
  ['draws a random number', () => Math.random(), 'Use a seeded generator'],
  ['reads the environment', () => process.env.HOME, 'A strategy must not use process'],
]

function caught(use: () => unknown): () => void {
  return () => {
    try {
      use()
    } catch {}
  }
}

describe('a strategy in a bot', () => {
  it.each(USES)(
    'that %s is stopped with the sentence, and its entry canceled',
    async (_what, use, sentence) => {
      const session = new BotSession({ strategy: loaded(use) })
      await session.start()
      await session.run(MINUTE + 1000)
      expect(session.openIds).toHaveLength(1)
      await session.run(MINUTE)
      const [stopped, ...more] = session.said('strategy stopped: it threw')
      expect(JSON.stringify(stopped)).toContain(sentence)
      await session.run(3 * MINUTE)
      expect(more).toEqual([])
      expect(session.openIds).toEqual([])
      expect(session.failures).toEqual([])
      expect(await session.leave(MINUTE)).toMatchObject({ signals: 1, orders: 1 })
    },
  )

  it('that fails in a promise is stopped at the same event when its journal is run again', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const strategy = loaded(
      () =>
        void Promise.resolve()
          .then(Date.now)
          .catch(() => {}),
    )
    const session = new BotSession({ strategy, journal })
    await session.start()
    await session.run(5 * MINUTE)
    await session.leave(MINUTE)
    journal.close()
    const reader = new JournalReader(path)
    const events = [...reader.entries()].map(({ body }) => Reflect.get(Object(body), 'type'))
    expect(events.filter(type => type === 'strategyBroke')).toHaveLength(1)
    const plain = bidding(() => {})
    expect(await replayJournal(reader, async () => plain)).toMatchObject({ difference: undefined })
    reader.close()
  })
})
