import { expect, it } from 'vitest'
import { latestEntries } from '../../src/cli/bot/latest-entries.ts'
import { ZERO } from '../../src/domain/numbers/amount.ts'
import { Journal } from '../../src/journal/journal.ts'
import { TradingHistory } from '../../src/web/history/trading-history.ts'
import { JournalWindow } from '../../src/web/sources/journal-window.ts'
import { LiveWindow } from '../../src/web/sources/live-window.ts'
import { afterTest } from '../after-test.ts'
import { JournalLoad, loadFlipper } from '../bench/journal/journal-load.ts'
import { BOT, BotSession } from '../bot/bot-session.ts'
import { flipper } from '../bot/test-strategies.ts'
import { journalPath } from '../journal/journal-session.ts'
import { MINUTE } from '../simulator/exchange-caller.ts'

/** The page is JavaScript for browsers, which the type checker of the tests does not read. */
const PAGE = new URL('../../src/web/page/', import.meta.url).pathname
const { latestText } = await import(/* @vite-ignore */ `${PAGE}tables.js`)

// biome-ignore lint/suspicious/noExplicitAny: the shape of each view is what a test looks at
const read = async (window: Pick<LiveWindow, 'read'>, view: string, query = {}): Promise<any> =>
  window.read(view, query)

/** A journal of 1,000 round trips: each buys at an odd kline and sells at the next. It has some 10,000 entries. */
async function long(): Promise<string> {
  const path = journalPath()
  const journal = new Journal(path)
  const load = await JournalLoad.begin(journal, 100_000)
  for (let kline = 0; kline < 2000; kline++) load.step()
  journal.close()
  return path
}

it('a journal shows its first decision and all of its klines, and says how many decisions there are', async () => {
  const window = await JournalWindow.open(await long(), loadFlipper)
  afterTest(() => window.close())
  const { chart, streams } = await read(window, 'chart')
  expect(chart.klines.steps).toHaveLength(2000)
  const ordered = await read(window, 'decisions', { outcome: 'ordered' })
  expect(ordered).toMatchObject({ count: 2000 })
  expect(ordered.decisions).toHaveLength(200)
  expect(ordered).not.toHaveProperty('since')
  const [stream] = streams
  const from = chart.klines.start * 1000
  const first = await read(window, 'decisions', { stream, from: `${from}`, to: `${from + MINUTE}` })
  expect(first.decisions).toMatchObject([{ outcome: 'ordered' }])
})

it('a bot that was started again says since when it knows decisions and orders, and exports all that its journal keeps', async () => {
  const path = await long()
  const session = new BotSession({ strategy: flipper })
  const window = new LiveWindow({ bot: BOT, serverNow: () => session.clock.now(), journal: path })
  const { entries, since } = latestEntries(path)
  expect(since).toBe(entries[1]?.time)
  window.remember(entries, since)
  const bot = await session.create()
  window.show(bot)
  bot.start(error => session.failures.push(error))
  const { overCount, tripCount } = await read(window, 'orders')
  expect(overCount).toMatchObject({ since, hasJournalFiles: true })
  expect(tripCount.hasJournalFiles).toBe(true)
  expect(await read(window, 'decisions', { outcome: 'some' })).toMatchObject({ since })
  const rows = async (name: string) =>
    String((await window.file(name))?.content)
      .trimEnd()
      .split('\n').length - 1
  expect(await rows('trips.csv')).toBe(1000)
  expect([await rows('orders.csv'), await rows('fills.csv')]).toEqual([2000, 2000])
  expect(await window.file('journal.csv')).toBeUndefined()
  await session.leave(MINUTE)
})

it('decisions that come to nothing push none of the others out', () => {
  const history = new TradingHistory({ decisions: 4, orders: 9, trips: 9, lines: 9, klines: 9 })
  const decide = (time: number, signaled: boolean) => {
    const kline = { openTime: time, open: 1, high: 1, low: 1, close: 1, volume: 1 }
    const named = { strategy: 'one', symbol: 'BTC/USDT' }
    history.explain({
      type: 'klineDecided',
      ...named,
      book: 'BTC/USDT',
      time: time + MINUTE,
      indicators: {},
      trailing: [],
      ...{ held: [], entering: [], isLeaving: false, equity: ZERO, free: ZERO },
    })
    history.onEntry({
      ...{ kind: 'event', time, body: { type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m', kline } },
      decisions: signaled ? [{ type: 'signaled', ...named, book: 'BTC/USDT', signal: { type: 'exit' } }] : [],
    })
  }
  history.onEntry({ kind: 'session', time: 0, body: { instruments: [{ symbol: 'BTC/USDT' }] } })
  decide(0, true)
  for (let minute = 1; minute < 50; minute++) decide(minute * MINUTE, false)
  expect(history.decisions[0]).toMatchObject({ id: 1, outcome: 'signal' })
  expect(history.decisionsSince('some')).toBeUndefined()
  expect(history.decisionsSince('all')).toBe(history.decisions[1]?.time)
})

it.each([
  [200, { all: 200, kept: 200 }, undefined],
  [200, { all: 423, kept: 423 }, 'The latest 200 of 423; all of them in the CSV.'],
  [200, { all: 800, kept: 500 }, 'The latest 200 of 800; the latest 500 in the CSV.'],
  [
    200,
    { all: 423, kept: 423, since: Date.UTC(2026, 10, 28, 22, 29), hasJournalFiles: true },
    'The latest 200 of 423 since 2026-11-28 22:29:00; all that the journal keeps in the CSV.',
  ],
  [
    86,
    { all: 86, kept: 86, since: Date.UTC(2026, 10, 28, 22, 29), hasJournalFiles: true },
    'All 86 since 2026-11-28 22:29:00; all that the journal keeps in the CSV.',
  ],
])('says of %i rows of %o where the rest is', (shown, count, text) => {
  expect(latestText(shown, count)).toBe(text)
})
