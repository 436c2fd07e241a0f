import { expect, it } from 'vitest'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { THIN_BOOK } from './thin-book.ts'

/** Buys 1 BTC on each of its first ten klines, and leaves once, on the eleventh. */
const leaver = defineStrategy({
  name: 'leaver',
  state: () => ({ klines: 0 }),
  onKline: (_kline, { state }) => {
    state.klines++
    if (state.klines <= 10) return enterLong({ scaleIn: true })
    return state.klines === 11 ? exit() : undefined
  },
})

it('pauses for two seconds again after an order of an exit that traded', async () => {
  const session = new BotSession({
    strategy: leaver,
    exchange: THIN_BOOK,
  })
  await session.start()
  await session.run(12 * MINUTE + 30_000)
  expect(session.said('round trip closed').length).toBeGreaterThan(0)
  const timesOf = (message: string) =>
    session
      .said(message)
      .filter(({ side, purpose }) => side === 'sell' && purpose === 'exit')
      .map(({ at, filled }) => ({ at: Date.parse(String(at)), traded: filled !== undefined }))
  const sent = timesOf('order submitted').map(({ at }) => at)
  const traded = timesOf('order canceled').filter(one => one.traded)
  expect(traded.length).toBeGreaterThan(3)
  const waits = traded.map(({ at }) => (sent.find(next => next > at) ?? Number.NaN) - at)
  // A look each second notices the refusal that follows, and another one that the pause is over.
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(4000)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(2000)
  // Each of them is told in the log, but the first one.
  expect(session.said('exit sent again')).toHaveLength(sent.length - 1)
})
