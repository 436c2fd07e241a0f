import { describe, expect, it } from 'vitest'
import type { Transport } from '../../../src/exchange/http/transport.ts'
import { defineStrategy, enterLong, exit, keepQuotes, type Signals } from '../../../src/strategy/index.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession, type BotSessionOptions } from '../bot-session.ts'

const REFUSED = JSON.stringify({ code: -2016, msg: 'Trading is frozen.' })

/** Says something on its klines, counted from 1. */
function scripted(name: string, script: Readonly<Record<number, () => Signals>>) {
  return defineStrategy({
    name,
    state: () => ({ klines: 0 }),
    onKline: (_kline, { state }) => script[++state.klines]?.(),
  })
}

/** A bid at the price that the market has: an exit would trade with it first. */
const bid = () => enterLong({ size: { base: 0.5 }, order: { type: 'limit', price: 100 }, scaleIn: true })

/** Buys on its first kline and leaves on its second. */
const leaver = { 1: () => enterLong(), 2: () => exit() }

/** A bot whose exit is refused until the host takes sells again, and the orders that the host has seen. */
function refusedExit(options: Omit<BotSessionOptions, 'host'>) {
  const asked: string[] = []
  const host = { refusesSells: true }
  const through: (exchange: Transport) => Transport = exchange => request => {
    if (request.method !== 'POST' || !request.url.endsWith('/order')) return exchange(request)
    const { side, type } = JSON.parse(request.body ?? '{}')
    // A maker's bid is a limit order as well.
    asked.push(`${side} ${type === 'POST_ONLY' ? 'LIMIT' : type}`)
    const isRefused = side === 'SELL' && host.refusesSells
    return isRefused ? Promise.resolve({ status: 200, body: REFUSED }) : exchange(request)
  }
  return { session: new BotSession({ ...options, host: through }), asked, host }
}

describe('a bid that is placed while an exit at market waits to be sent again', () => {
  it.each([
    {
      of: 'its own strategy',
      options: { strategy: scripted('leaver', { ...leaver, 3: bid }) },
    },
    {
      of: 'another strategy of the bot',
      options: {
        strategy: scripted('leaver', leaver),
        traded: [
          { strategy: scripted('leaver', leaver), symbol: 'BTC/USDT' },
          { strategy: scripted('bidder', { 3: bid }), symbol: 'BTC/USDT' },
        ],
      },
    },
    {
      of: 'a market maker beside it',
      options: {
        strategy: scripted('leaver', leaver),
        traded: [
          { strategy: scripted('leaver', leaver), symbol: 'BTC/USDT' },
          {
            strategy: scripted('maker', {
              3: () => keepQuotes([{ side: 'buy', price: 100, size: { base: 0.5 }, tag: 'bid' }]),
            }),
            symbol: 'BTC/USDT',
          },
        ],
      },
    },
  ])('leaves after it, and never trades with it: $of', async ({ options }) => {
    const { session, asked, host } = refusedExit(options)
    await session.start()
    await session.run(3 * MINUTE + 5000)
    // The third kline has closed, and the bid waits.
    expect(asked.filter(order => order.startsWith('SELL')).length).toBeGreaterThan(2)
    expect(asked.filter(order => order === 'BUY LIMIT')).toEqual([])
    host.refusesSells = false
    await session.run(30_000)
    expect(asked.slice(asked.indexOf('BUY LIMIT') - 1)).toEqual(['SELL MARKET', 'BUY LIMIT'])
    expect(session.user.history.orders.map(({ side, status }) => `${side} ${status}`)).toContain(
      'sell FILLED',
    )
    expect(session.failures).toEqual([])
  })
})
