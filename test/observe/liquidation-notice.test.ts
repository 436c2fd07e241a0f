import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Journal } from '../../src/journal/journal.ts'
import { defineStrategy, enterLong } from '../../src/strategy/index.ts'
import type { BotSession } from '../bot/bot-session.ts'
import { accountOf, futuresBot, stepAt } from '../bot/futures/futures-bot.ts'
import { journalPath } from '../journal/journal-session.ts'
import { MINUTE } from '../simulator/exchange-caller.ts'
import { noticesWith, recordingChannel } from './recording-channel.ts'

/** Buys once, and holds. */
const once = defineStrategy({
  name: 'once',
  state: () => ({ isDone: false }),
  onKline: (_kline, { state }) => {
    if (state.isDone) return undefined
    state.isDone = true
    return enterLong()
  },
})

/** A bot with 1 BTC in contracts at 10x, and the notices that tell of it. */
function tellingBot(journal: Journal, beside?: BotSession) {
  const { channel, given } = recordingChannel()
  const session = futuresBot({
    strategy: once,
    symbol: 'E-BTC-USDT',
    klines: stepAt(20, 80),
    account: { type: 'futures', leverage: 10, marginMode: 'isolated' },
    size: { base: 1 },
    journal,
    ...(beside !== undefined && { beside }),
    observer: { onEntry: entry => notices.observer.onEntry(entry) },
  })
  const { notices } = noticesWith(channel, session.clock)
  return {
    session,
    of: (kind: string) => given.flatMap(({ notice }) => (notice.kind === kind ? notice : [])),
  }
}

it.each([false, true])(
  'a liquidation is told with its strategy and what it cost (while the bot is down: %s)',
  async isDown => {
    const journal = new Journal(journalPath())
    const first = tellingBot(journal)
    await first.session.start()
    await first.session.run(8 * MINUTE)
    expect(accountOf(first.session).positions()).toHaveLength(1)
    if (isDown) await first.session.leave(5000)
    await first.session.run(4 * MINUTE)
    const last = isDown ? tellingBot(journal, first.session) : first
    if (isDown) await last.session.start()
    await last.session.run(MINUTE)
    await turn()
    await turn()
    const [told, ...others] = last.of('liquidated')
    expect(others).toEqual([])
    // 1 BTC bought at 100.01 costs a fee of 0.10001 and takes a margin of 10.001, all of which is lost.
    expect(told).toMatchObject({
      strategy: 'once',
      figures: { direction: 'long', quantity: '10', pnl: '-10.10101', quote: 'USDT' },
    })
    expect(told?.sentence).toMatch(
      /^E-BTC-USDT LIQUIDATED by the exchange: LONG 10 contracts at [\d.]+\. Result: -10\.10 USDT after fees\.$/,
    )
    await last.session.leave(5000)
    journal.close()
  },
)
