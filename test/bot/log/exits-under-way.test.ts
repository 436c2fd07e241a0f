import { expect, it } from 'vitest'
import { statusText } from '../../../src/cli/bot/bot-status-text.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { THIN_BOOK } from '../exits/thin-book.ts'

/** Buys 1 BTC on its first two klines, and leaves once, on the third. */
const leaver = defineStrategy({
  name: 'leaver',
  state: () => ({ klines: 0 }),
  onKline: (_kline, { state }) => {
    state.klines++
    return state.klines > 2 ? (state.klines === 3 ? exit() : undefined) : enterLong({ scaleIn: true })
  },
})

it('says how far an exit is that the exchange takes in part and then refuses, and when its rest leaves', async () => {
  let left = Number.POSITIVE_INFINITY
  const body = JSON.stringify({ code: -2016, msg: 'Trading is frozen.' })
  const session = new BotSession({
    strategy: leaver,
    exchange: THIN_BOOK,
    host: exchange => request => {
      const places = request.method === 'POST' && request.url.endsWith('/order')
      return places && left-- <= 0 ? Promise.resolve({ status: 200, body }) : exchange(request)
    },
  })
  await session.start()
  await session.run(2 * MINUTE + 30_000)
  left = 1
  await session.run(32_000)
  const lines = statusText(await session.status()).split('\n')
  const line = lines.find(text => text.startsWith('EXIT UNDER WAY')) ?? ''
  expect(line).toMatch(
    /^EXIT UNDER WAY: 1\.50\d* of 2\.00000 BTC of BTC\/USDT sold; the rest is sent again at 2024-01-01 00:13:\d\dZ at the earliest\.$/,
  )
  left = Number.POSITIVE_INFINITY
  await session.run(MINUTE)
  expect(statusText(await session.status())).not.toContain('EXIT UNDER WAY')
  expect(session.said('round trip closed').length).toBeGreaterThan(0)
})

it('says that an exit waits for the end of a halt, and sends it within seconds of the resume', async () => {
  const session = new BotSession({ strategy: leaver, exchange: THIN_BOOK })
  await session.start()
  await session.run(2 * MINUTE + 30_000)
  await session.operate('halt')
  await session.run(2 * MINUTE)
  expect(statusText(await session.status()).split('\n')).toContain(
    'EXIT UNDER WAY: 0.00000 of 2.00000 BTC of BTC/USDT sold; the rest is sent once trading is no longer halted.',
  )
  expect(session.said('exit sent again')).toEqual([])
  await session.operate('resume')
  await session.run(10_000)
  expect(session.said('exit sent again').length).toBeGreaterThan(0)
  expect(session.said('round trip closed').length).toBeGreaterThan(0)
})
