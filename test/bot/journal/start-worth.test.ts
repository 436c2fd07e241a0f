import { describe, expect, it } from 'vitest'
import type { BotSummary } from '../../../src/bot/log/bot-summary.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { klinesOf, MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from '../bot-session.ts'
import { futuresBot } from '../futures/futures-bot.ts'
import { POLLING } from '../inputs/polling.ts'
import { once } from '../test-strategies.ts'

const holder = once(() => enterLong(), 'holder')
const idle = defineStrategy({ name: 'idle', onKline: () => undefined })

/** Minutes 0 to 11 at 100, and the rest at 96. */
const FALL = klinesOf(
  ...Array.from({ length: 12 }, () => [100, 100, 100, 100] as const),
  ...Array.from({ length: 40 }, () => [96, 96, 96, 96] as const),
)

/** Runs a life of a bot; gives its summary, and the equity that it told at its start. */
async function life(session: BotSession, ms: number): Promise<{ summary: BotSummary; startEquity: unknown }> {
  const lives = session.said('account').length
  await session.start()
  await session.run(ms)
  const summary = await session.leave(1)
  if (summary === undefined) throw new Error('The bot has not left.')
  return { summary, startEquity: session.said('account')[lives]?.equity }
}

describe('the equity that a run begins with', () => {
  it('counts at the price now, so that two lives do not tell the same loss twice', async () => {
    const journal = new Journal(journalPath())
    const session = new BotSession({ strategy: holder, klines: FALL, journal, size: { base: 60 } })
    // Bought 60 at 100.01 with a fee of 0.06 BTC; half a minute after the fall the books know the close at 100 only.
    const first = await life(session, 2 * MINUTE + 30_000)
    // 3999.4 and 59.94 at 96.
    expect(first.summary.equity).toEqual({ USDT: '9753.64' })
    expect(first.startEquity).toEqual({ USDT: '10000' })
    expect(first.summary.profit).toEqual({ USDT: '-246.36' })
    const second = await life(session, 3 * POLLING.tickerMs)
    expect(second.startEquity).toEqual({ USDT: '9753.64' })
    expect(second.summary.equity).toEqual({ USDT: '9753.64' })
    expect(second.summary.profit).toEqual({ USDT: '0' })
    expect(second.summary.open).toEqual({ USDT: '0' })
    journal.close()
  })

  it('counts the position of contracts at the mark price now', async () => {
    const journal = new Journal(journalPath())
    const session = futuresBot({ strategy: holder, klines: FALL, journal, size: { equityFraction: 0.8 } })
    const first = await life(session, 2 * MINUTE + 30_000)
    const second = await life(session, 3 * POLLING.tickerMs)
    // 79 contracts of 0.1 BTC at 100.01 with a fee of 0.790079; at 96 they have lost 31.679.
    expect(first.summary.profit).toEqual({ USDT: '-32.469079' })
    expect(first.summary.open).toEqual({ USDT: '-32.469079' })
    expect(second.startEquity).toEqual({ USDT: '967.530921' })
    expect(second.summary.profit).toEqual({ USDT: '0' })
    journal.close()
  })

  it('counts what is held without a position, whose price then has a line of its own', async () => {
    const session = new BotSession({
      strategy: idle,
      exchange: {
        listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines: FALL } }],
        accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: { USDT: '10000', BTC: '2' } }],
      },
    })
    const { startEquity, summary } = await life(session, 2 * MINUTE + 30_000)
    expect(startEquity).toEqual({ USDT: '10200' })
    // 2 BTC from 100 to 96.
    expect(summary).toMatchObject({ profit: { USDT: '-8' }, open: { USDT: '0' }, other: { USDT: '-8' } })
  })

  it('adds up: round trips, what is open and the rest are the profit', async () => {
    const flipper = defineStrategy({
      name: 'flipper',
      onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : exit()),
    })
    const journal = new Journal(journalPath())
    const session = new BotSession({ strategy: flipper, klines: FALL, journal, size: { base: 1 } })
    // Bought 1 at 100.01 for a fee of 0.001 BTC, sold 0.999 at 95.99 (fee 0.1%) after the fall.
    const { summary } = await life(session, 2 * MINUTE + 30_000)
    // 0.999 at 95.99 is 95.89401, less the fee 0.09589401, is 95.79811599, and they cost 100.01 with the fee.
    expect(summary.realised).toEqual({ USDT: '-4.21188401' })
    expect(summary).toMatchObject({
      profit: { USDT: '-4.21188401' },
      open: { USDT: '0' },
      other: { USDT: '0' },
    })
    journal.close()
  })
})
