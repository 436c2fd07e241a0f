import { describe, expect, it } from 'vitest'
import { amountToText } from '../../src/domain/numbers/amount.ts'
import { Journal } from '../../src/journal/journal.ts'
import { enterLong, enterShort } from '../../src/strategy/index.ts'
import { journalPath } from '../journal/journal-session.ts'
import { flatMarket, MINUTE } from '../simulator/exchange-caller.ts'
import { ROUND_CONTRACT } from '../simulator/futures/futures-caller.ts'
import { BotSession, KEY, SECRET } from './bot-session.ts'
import { accountOf, walletOf } from './futures/futures-bot.ts'
import { once } from './test-strategies.ts'

/** Holds BTC on spot, and as much of the contract short: what a price costs the one it brings the other, and the short is paid. */
function carry(journal: Journal): BotSession {
  return new BotSession({
    strategy: once(enterLong, 'spot'),
    traded: [
      { strategy: once(enterLong, 'spot'), symbol: 'BTC/USDT' },
      { strategy: once(enterShort, 'short'), symbol: 'E-BTC-USDT' },
    ],
    accounts: { spot: {}, futures: { leverage: 5, marginMode: 'cross', positionMode: 'oneWay' } },
    journal,
    exchange: {
      listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines: flatMarket(100, 200) } }],
      accounts: [
        { apiKey: KEY, apiSecret: SECRET, balances: { USDT: '1000' }, futuresBalances: { USDT: '500' } },
      ],
      futures: { contracts: [{ ...ROUND_CONTRACT, fundingHours: 1, fundingRate: '0.001' }] },
    },
  })
}

describe('a bot with a spot and a futures account', () => {
  it('holds a pair on one and its contract on the other, is paid funding, and goes on so after a restart', async () => {
    const journal = new Journal(journalPath())
    const session = carry(journal)
    await session.start()
    await session.run(30 * MINUTE)
    await session.leave(5000)
    await session.start()
    await session.run(25 * MINUTE)
    const [position] = accountOf(session).positions()
    expect(position).toMatchObject({ direction: 'short', volume: 10 })
    // 10 contracts of 0.1 BTC at 100, of which the long side pays 0.1%.
    expect(session.said('funding').map(({ paid }) => paid)).toEqual(['-0.1 USDT'])
    expect(session.said('balance adopted from the exchange')).toEqual([])
    expect(session.said('instrument halted: nothing more is decided on it')).toEqual([])
    const summary = await session.leave(5000)
    // The fee of the spot order is taken from what it bought.
    expect(summary?.position).toEqual({ 'BTC/USDT': '0.99900', 'E-BTC-USDT': '-10' })
    const { free } = session.user.account.holding('USDT')
    expect(summary?.balances).toMatchObject({
      USDT: String(Number(amountToText(free)) + Number(walletOf(session))),
    })
    expect(session.failures).toEqual([])
    journal.close()
  })
})
