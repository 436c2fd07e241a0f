import { describe, expect, it } from 'vitest'
import { statusText } from '../../../src/cli/bot/bot-status-text.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { flatMarket, MINUTE } from '../../simulator/exchange-caller.ts'
import { bidder, flipper, once } from '../test-strategies.ts'
import { expectAgreed, marginBot, tradeByHand } from './margin-bot.ts'

describe('a trade of somebody else on a margin account', () => {
  it('is booked, and holds its instrument back until somebody resumes it', async () => {
    const session = marginBot({ strategy: flipper, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(1.5 * MINUTE)
    tradeByHand(session, 'BUY', '0.5', '101')
    await session.run(2 * MINUTE)
    expect(session.said('foreign trade on the account')).toHaveLength(1)
    const [hold] = session.said('trading halted')
    expect(JSON.stringify(hold)).toContain(
      'Another client of the margin account bought 0.5 BTC at 100.01 (trade',
    )
    const fills = session.said('fill').length
    await session.run(2 * MINUTE)
    expect(session.said('fill')).toHaveLength(fills)
    await session.operate('resume', { symbol: 'BTC/USDT' })
    await session.run(2 * MINUTE)
    expect(session.said('fill').length).toBeGreaterThan(fills)
    await expectAgreed(session)
  })

  it('is booked without a word of halting where the configuration adopts it', async () => {
    const session = marginBot({ strategy: flipper, klines: flatMarket(100, 60), foreignTrades: 'adopt' })
    await session.start()
    await session.run(1.5 * MINUTE)
    tradeByHand(session, 'BUY', '0.5', '101')
    tradeByHand(session, 'SELL', '0.2', '99')
    await session.run(5 * MINUTE)
    expect(session.said('foreign trade on the account')).toHaveLength(2)
    expect(session.said('trading halted')).toEqual([])
    await expectAgreed(session)
  })

  it('that sells what our position consists of halts the instrument', async () => {
    const session = marginBot({
      strategy: once(() => enterLong()),
      klines: flatMarket(100, 60),
      foreignTrades: 'adopt',
    })
    await session.start()
    await session.run(1.5 * MINUTE)
    tradeByHand(session, 'SELL', '0.6', '99')
    await session.run(2 * MINUTE)
    expect(
      session.said('instrument halted: nothing more is decided on it').map(({ reason }) => reason),
    ).toEqual([
      'Others left 0.399 BTC on the margin account, less than the 0.999 of our positions; bring it back, or close what is held and start with a new journal.',
    ])
    tradeByHand(session, 'SELL', '0.2', '99')
    await session.run(2 * MINUTE)
    const { trading } = await session.status()
    expect(trading.find(({ scope }) => scope === 'BTC/USDT')?.haltedUntilStart).toContain(
      'Others left 0.199 BTC',
    )
  })

  it('that meets an order of ours is booked on both sides, once', async () => {
    const session = marginBot({
      strategy: bidder,
      klines: flatMarket(100, 60),
      foreignTrades: 'adopt',
      held: { USDT: '1000', BTC: '0.5' },
      // Nobody but us quotes.
      exchange: { liquidity: { levelNotionals: [] } },
    })
    await session.start()
    await session.run(1.5 * MINUTE)
    tradeByHand(session, 'SELL', '0.5', '90')
    await session.run(2 * MINUTE)
    expect(session.said('fill')).toHaveLength(1)
    expect(session.said('foreign trade on the account')).toHaveLength(1)
    await expectAgreed(session)
  })

  it('that leaves base owed keeps the bot from opening anything of it, also after a resume', async () => {
    const session = marginBot({
      strategy: defineStrategy({ name: 'buyer', onKline: () => enterLong({ size: { base: 1 } }) }),
      klines: flatMarket(100, 60),
      held: { USDT: '1000', BTC: '0.5' },
      exchange: { margin: { maxLeverage: '3' } },
    })
    await session.start()
    tradeByHand(session, 'SELL', '2', '90')
    await session.run(30_000)
    expect(session.said('order denied')).toEqual([])
    await session.operate('resume', { symbol: 'BTC/USDT' })
    await session.run(2 * MINUTE)
    expect(session.said('fill')).toEqual([])
    expect(session.said('order denied')[0]?.why).toContain(
      'The margin account owes 1.5 BTC by the books of this bot',
    )
    const answer = statusText(await session.status())
    expect(answer).toContain('OWED: the account owes 1.5 BTC by the books of this bot.')
    expect((await session.leave(MINUTE))?.leftBehind).toMatch(
      /^No position of this bot is open\. By the books of this bot the margin account owes 1\.5 BTC\. No order of this bot rests at the exchange\./,
    )
  })
})
