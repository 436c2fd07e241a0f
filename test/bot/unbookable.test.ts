import { describe, expect, it } from 'vitest'
import type { Transport } from '../../src/exchange/http/transport.ts'
import { Journal } from '../../src/journal/journal.ts'
import { journalPath } from '../journal/journal-session.ts'
import { flatMarket, MINUTE } from '../simulator/exchange-caller.ts'
import { BotSession } from './bot-session.ts'
import { bidder, flipper } from './test-strategies.ts'

/** An exchange that counts prices of BTC/USDT in more decimals than it lists. */
const finer =
  (inner: Transport): Transport =>
  async request => {
    const response = await inner(request)
    const { pathname, searchParams } = new URL(request.url)
    const isBtc = searchParams.get('symbol')?.toUpperCase().startsWith('BTC')
    if (!pathname.endsWith('/myTrades') || !isBtc) return response
    return { ...response, body: response.body.replaceAll(/"price":"([^"]*)"/g, '"price":"$15"') }
  }

const halts = (session: BotSession) => session.said('trading halted').map(({ scope }) => scope)
const fillsOf = (session: BotSession, symbol: string) =>
  session.said('fill').filter(fill => fill.symbol === symbol).length

function sessionOn(journal: Journal): BotSession {
  const market = { type: 'klines', klines: flatMarket(100, 200) } as const
  return new BotSession({
    strategy: flipper,
    traded: [
      { strategy: { ...flipper, name: 'finer' }, symbol: 'BTC/USDT' },
      { strategy: { ...flipper, name: 'other' }, symbol: 'ETH/USDT' },
      { strategy: bidder, symbol: 'ETH/USDT' },
    ],
    journal,
    host: finer,
    exchange: {
      listings: [
        { symbol: 'BTC/USDT', market },
        { symbol: 'ETH/USDT', market },
      ],
    },
  })
}

describe('a trade that is finer than the decimals of its instrument', () => {
  it('halts that instrument with a sentence, and the bot goes on with the others, also after a restart', async () => {
    const journal = new Journal(journalPath())
    const session = sessionOn(journal)
    await session.start()
    await session.run(3.5 * MINUTE)
    expect(halts(session)).toEqual(['BTC/USDT'])
    expect(JSON.stringify(session.said('trading halted'))).toMatch(
      /The exchange traded at a price of 100\.\d+ \(trade \d+ of BTC\/USDT\), but the bot counts it in 2 decimals, so that it cannot be booked, nor anything after it\. Cancel and close by hand what is open of BTC\/USDT/,
    )
    expect(fillsOf(session, 'BTC/USDT')).toBe(0)
    expect(fillsOf(session, 'ETH/USDT')).toBe(3)
    expect(session.user.history.orders.filter(({ instrument }) => instrument.base === 'BTC')).toHaveLength(1)
    await session.leave(70_000)
    await session.start()
    await session.run(4 * MINUTE)
    expect(fillsOf(session, 'BTC/USDT')).toBe(0)
    expect(fillsOf(session, 'ETH/USDT')).toBeGreaterThan(6)
    const status = await session.operate('status')
    expect(status).toMatch(/BTC\/USDT.*halted/)
    expect(session.failures).toEqual([])
    journal.close()
  })
})
