import { describe, expect, it } from 'vitest'
import { replayJournal } from '../../../src/bot/state/replay-journal.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import {
  defineStrategy,
  depth,
  enterLong,
  every,
  exit,
  klines,
  of,
  sma,
  ticker,
  trades,
} from '../../../src/strategy/index.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'

/** Counts by name, and a thousand for what is wrong. */
function count(shown: Record<string, number>, name: string, isRight: boolean): undefined {
  shown[name] = (shown[name] ?? 0) + (isRight ? 1 : 1000)
  return undefined
}

/** Counts what it is shown, and trades two instruments. */
const watcher = () =>
  defineStrategy({
    name: 'watcher',
    markets: ['other'],
    feeds: () => ({
      slow: klines({ interval: '5m' }),
      other: klines({ market: 'other' }),
      book: depth({ levels: 2, everyMs: 10_000 }),
      quote: ticker({ market: 'other', everyMs: 20_000 }),
      tape: trades({ everyMs: 10_000 }),
    }),
    timers: { often: every('2m') },
    indicators: () => ({ trend: of('slow', sma(2)), own: sma(2) }),
    state: () => ({ starts: 0, shown: {} as Record<string, number>, levels: 0 }),
    onStart: ({ state }) => {
      state.starts++
      return enterLong({ tag: `start ${state.starts}` })
    },
    onKline: (_kline, { state, indicators, feeds }) => {
      count(state.shown, 'own', indicators.trend.value > 0 && indicators.trend.previous > 0)
      return feeds.other.latest === undefined ? exit() : undefined
    },
    on: {
      slow: (_kline, { state }) => count(state.shown, 'slow', true),
      book: ({ bids, asks }, { state }) => {
        state.levels = Math.max(state.levels, bids.length, asks.length)
        return count(state.shown, 'book', true)
      },
      quote: ({ last }, { state, markets }) => count(state.shown, 'quote', last === markets.other.price),
      tape: ({ price }, { state }) => count(state.shown, 'tape', price > 0),
      often: (_time, { state, markets }) => {
        count(state.shown, 'often', true)
        const isFlat = markets.other.position.direction === 'flat'
        return isFlat ? enterLong({ market: 'other', size: { base: 0.01 } }) : exit({ market: 'other' })
      },
    },
    onStop: () => [exit({ tag: 'stop' }), exit({ market: 'other', tag: 'stop' })],
  })

/** The state of the bot, as far as it is looked at. */
interface Kept {
  readonly engine: {
    readonly desks: readonly [
      {
        readonly memory: {
          readonly starts: number
          readonly levels: number
          readonly shown: Readonly<Record<string, number>>
        }
      },
    ]
  }
}

const OTHER = { other: { symbol: 'ETH/USDT' } }

function sessionOf(journal: Journal): BotSession {
  const strategy = watcher()
  return new BotSession({ strategy, journal, traded: [{ strategy, symbol: 'BTC/USDT', markets: OTHER }] })
}

/** Trades for ten minutes after five that complete the warm-up of the slow klines, restarts, trades for five more; gives what the strategy remembers. */
async function recorded(path: string) {
  const journal = new Journal(path)
  const session = sessionOf(journal)
  await session.start()
  await session.run(15 * MINUTE)
  await session.leave(MINUTE)
  await session.start()
  await session.run(5 * MINUTE)
  await session.leave(MINUTE)
  journal.close()
  expect(session.failures).toEqual([])
  return session
}

describe('the feeds of a running bot', () => {
  it('are polled, shown, journaled and run again with the same decisions', async () => {
    const path = journalPath()
    const session = await recorded(path)
    const reader = new JournalReader(path)
    const events = [...reader.entries()].filter(({ kind }) => kind === 'event')
    const typesOf = (type: string) =>
      events.filter(({ body }) => (body as { readonly type: string }).type === type).length // of an event
    // Every 10 and 20 seconds for twenty minutes, less what a start and an end cut off.
    expect(typesOf('depthSeen')).toBeGreaterThan(75)
    expect(typesOf('tickerSeen')).toBeGreaterThan(35)
    expect(typesOf('publicTradeSeen')).toBeGreaterThan(5)
    expect(typesOf('sessionStarted')).toBe(2)
    expect(typesOf('sessionEnding')).toBe(2)
    const result = await replayJournal(reader, async () => watcher())
    expect(result).toMatchObject({ sessions: 2, difference: undefined })
    const kept = reader.snapshot()?.state as Kept // as the bot wrote it at its end
    reader.close()
    const { starts, levels, shown } = kept.engine.desks[0].memory
    expect([starts, levels]).toEqual([2, 2])
    // Fifteen minutes of klines less what starts and ends cut off, and a timer every two; a thousand would be a wrong value.
    expect(shown.own).toBeGreaterThanOrEqual(12)
    expect(shown.own).toBeLessThan(20)
    expect(shown.slow).toBeGreaterThanOrEqual(2)
    expect(shown.often).toBeGreaterThanOrEqual(5)
    const symbols = new Set(session.said('fill').map(({ symbol }) => symbol))
    expect(symbols).toEqual(new Set(['BTC/USDT', 'ETH/USDT']))
    // What onStop exits is closed before the bot has left.
    expect(session.user.history.openOrders).toEqual([])
  })
})
