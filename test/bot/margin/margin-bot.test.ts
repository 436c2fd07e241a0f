import { describe, expect, it } from 'vitest'
import { statusText } from '../../../src/cli/bot/bot-status-text.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { ANSWER_LOST, REQUEST_LOST } from '../../faulty-transport.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { flatMarket, klinesOf, MINUTE } from '../../simulator/exchange-caller.ts'
import { bidder, flipper, once } from '../test-strategies.ts'
import { expectAgreed, marginBot, marginOf, moneyOf, tradeByHand } from './margin-bot.ts'

const PLACE = 'POST /sapi/v2/margin/order'
const CANCEL = 'POST /sapi/v2/margin/cancel'

/** A market at 100 that goes to another price after so many minutes. */
function stepAt(minutes: number, price: number, after = 30): Kline[] {
  return klinesOf(
    ...Array.from({ length: minutes }, () => [100, 100, 100, 100] as const),
    [100, Math.max(100, price), Math.min(100, price), price],
    ...Array.from({ length: after }, () => [price, price, price, price] as const),
  )
}

describe('a running bot on a margin account', () => {
  it('says once that nobody can verify what is declared, and shows it to who asks', async () => {
    const session = marginBot({ strategy: bidder, klines: flatMarket(100, 60) })
    const bot = await session.create()
    bot.start(error => session.failures.push(error))
    await session.run(MINUTE)
    expect(session.said('margin balances are unverified')).toEqual([
      expect.objectContaining({
        level: 'warn',
        declared: '1000 USDT',
        why: 'The balances of the margin account cannot be read: the books begin with what is declared and go on by trades. Debts, interest and transfers are not seen, and the bot itself borrows nothing.',
      }),
    ])
    expect(session.said('account').map(({ balances }) => balances)).toEqual([{ USDT: '1000' }])
    const answer = await bot.operate({ command: 'status' })
    expect(answer.ok && statusText(answer.status)).toContain(
      session.said('margin balances are unverified')[0]?.why,
    )
  })

  it('warns of a declared asset that no pair on margin has, such as a typing error', async () => {
    const session = marginBot({
      strategy: bidder,
      klines: flatMarket(100, 60),
      declared: { USDT: '1000', USTD: '500' },
    })
    await session.start()
    expect(session.said('declared margin balances of other assets')).toEqual([
      expect.objectContaining({
        level: 'warn',
        declared: '500 USTD',
        why: 'No pair that is traded on margin has USTD: the bot does nothing with it. Their assets are BTC, USDT; look whether balances of the margin account in the configuration has a typing error.',
      }),
    ])
    await session.leave(5000)
  })

  it('knows of its balances what its own trades make of the declared ones, fees included', async () => {
    const session = marginBot({ strategy: flipper, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(20 * MINUTE)
    expect(session.said('fill').length).toBeGreaterThan(15)
    await expectAgreed(session)
  })

  it('buys a quantity by a limit order, and takes back at once what does not trade', async () => {
    const session = marginBot({
      strategy: once(() => enterLong()),
      klines: flatMarket(100, 60),
      // 0.4 BTC are offered within reach; the order is for 1.
      exchange: { liquidity: { levelNotionals: ['40'] } },
    })
    await session.start()
    await session.run(2 * MINUTE)
    const [order] = marginOf(session).history.orders
    expect(order).toMatchObject({ type: 'LIMIT', side: 'buy', status: 'CANCELED' })
    expect(session.said('fill').map(({ quantity }) => quantity)).toEqual([expect.stringMatching(/^0\.39/)])
    expect(session.said('order canceled')).toHaveLength(1)
    await expectAgreed(session)
  })

  it('takes back after a restart what it could not before', async () => {
    const journal = new Journal(journalPath())
    const session = marginBot({
      strategy: once(() => enterLong()),
      klines: flatMarket(100, 60),
      exchange: { liquidity: { levelNotionals: ['40'] } },
      journal,
      execution: { onStop: 'keep' },
    })
    session.journeyOf = call => (call === CANCEL ? REQUEST_LOST : undefined)
    await session.start()
    // Right after the kline; the market would trade with what rests at its next price.
    for (let tries = 0; tries < 100 && marginOf(session).history.openCount === 0; tries++)
      await session.run(1000)
    expect(marginOf(session).history.openCount).toBe(1)
    await session.leave(100)
    session.journeyOf = () => undefined
    await session.start()
    await session.run(1000)
    expect(marginOf(session).history.orders.map(({ status }) => status)).toEqual(['CANCELED'])
    await expectAgreed(session)
    journal.close()
  })

  it('closes a position by its protective stop', async () => {
    const session = marginBot({
      strategy: once(() => enterLong({ stopLoss: 95 })),
      klines: stepAt(15, 90),
    })
    await session.start()
    await session.run(10 * MINUTE)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
    await expectAgreed(session)
  })

  it('sells short what it owns, and buys it back by its protective stop', async () => {
    const session = marginBot({
      strategy: once(() => enterShort({ stopLoss: 105 })),
      klines: stepAt(15, 110),
      held: { USDT: '100', BTC: '1' },
    })
    await session.start()
    await session.run(10 * MINUTE)
    expect(session.said('fill').map(({ side, quantity }) => `${side} ${quantity}`)).toEqual([
      'sell 1.00000',
      'buy 1.00000',
    ])
    await expectAgreed(session)
  })

  it('denies a short beyond what it owns, and says why', async () => {
    const session = marginBot({
      strategy: once(() => enterShort()),
      klines: flatMarket(100, 60),
      held: { USDT: '1000', BTC: '0.5' },
    })
    await session.start()
    await session.run(2 * MINUTE)
    expect(session.said('order denied').map(({ rule, why }) => [rule, why])).toEqual([
      [
        'balance',
        'The order would sell 1 BTC, but the margin account owns only 0.5 BTC besides its positions, and the interface has no call to borrow with.',
      ],
    ])
    expect(marginOf(session).history.size).toBe(0)
  })

  it('denies a short whose stop-loss it could not pay for, and says why', async () => {
    const session = marginBot({
      strategy: once(() => enterShort({ stopLoss: { fraction: 0.02 } })),
      klines: flatMarket(100, 60),
      held: { BTC: '1' },
    })
    await session.start()
    await session.run(2 * MINUTE)
    expect(session.said('order denied').map(({ rule, why }) => [rule, why])).toEqual([
      ['balance', expect.stringContaining('Buying the short back at its stop-loss 102.00 may take')],
    ])
    expect(marginOf(session).history.size).toBe(0)
  })

  it('says that a short is not protected whose stop-loss it cannot pay for, and sends that again', async () => {
    const session = marginBot({
      strategy: once(() => enterShort({ order: { type: 'limit', price: 101 }, stopLoss: 102 })),
      klines: stepAt(15, 101.5),
      held: { USDT: '20', BTC: '1' },
      foreignTrades: 'adopt',
    })
    await session.start()
    await session.run(2 * MINUTE)
    expect(marginOf(session).history.openCount).toBe(1)
    // A person spends what the stop-loss would need: 0.5 and the 100.9 of the sale are left, the stop takes 102.
    tradeByHand(session, 'BUY', '0.195', '101')
    await session.run(5 * MINUTE)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['sell'])
    expect(session.said('order denied')).toEqual([
      expect.objectContaining({ purpose: 'stopLoss', rule: 'balance' }),
    ])
    const [unprotected] = (await session.status()).unprotected
    expect(unprotected).toMatchObject({ symbol: 'BTC/USDT', purpose: 'stopLoss', cause: 'order' })
    expect(unprotected?.why).toMatch(
      /^This bot denied its order, which has not left: The order needs 102 USDT, but only 101\.\d+ USDT is free\. It leaves at /,
    )
    expect(session.said('position is not protected')).toHaveLength(1)
    tradeByHand(session, 'SELL', '0.195', '90')
    await session.run(2 * MINUTE)
    expect(session.said('position is protected again')).toHaveLength(1)
    expect((await session.status()).unprotected).toEqual([])
  })

  it('closes the part of a short that it can pay for, and names the rest', async () => {
    const session = marginBot({
      strategy: once(() => enterShort()),
      klines: flatMarket(100, 60),
      held: { USDT: '10', BTC: '1' },
      foreignTrades: 'adopt',
    })
    await session.start()
    await session.run(2 * MINUTE)
    expect(marginOf(session).history.size).toBe(1)
    // A person spends 60 of the 110: what is left buys about half of the short back.
    tradeByHand(session, 'BUY', '0.6', '101')
    await session.run(MINUTE)
    const reply = await session.operate('flatten')
    expect(reply).toMatch(
      /^Closed: SHORT 0\.49\d* BTC of BTC\/USDT\. NOT closed: SHORT 0\.50\d* BTC of BTC\/USDT\. .*buy it back by hand at the exchange\./,
    )
    expect([...marginOf(session).credit.debts]).toEqual([])
  })

  it('closes and halts by command', async () => {
    const session = marginBot({ strategy: flipper, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(1.5 * MINUTE)
    expect(await session.operate('kill')).toContain('halted')
    await session.run(3 * MINUTE)
    expect(marginOf(session).history.openCount).toBe(0)
    const summary = await session.leave(5000)
    expect(summary?.position).toEqual({ 'BTC/USDT': '0' })
    expect(summary?.balances).toEqual(moneyOf(session))
  })

  it('tells its own open orders from those of others, whose ids the list does not tell', async () => {
    const journal = new Journal(journalPath())
    const session = marginBot({
      strategy: bidder,
      klines: flatMarket(100, 60),
      journal,
      execution: { onStop: 'keep' },
    })
    await session.start()
    await session.run(2 * MINUTE)
    tradeByHand(session, 'BUY', '0.5', '80')
    await session.run(2 * MINUTE)
    await session.leave(5000)
    await session.start()
    await session.run(2 * MINUTE)
    expect(marginOf(session).history.openCount).toBe(2)
    // Once in each of two lives.
    expect(session.said('foreign order left open')).toHaveLength(2)
    expect(session.said('leftover order canceled')).toEqual([])
    await session.leave(5000)
    journal.close()
  })

  it('cancels what a run without its journal left open', async () => {
    const session = marginBot({
      strategy: bidder,
      klines: flatMarket(100, 60),
      execution: { onStop: 'keep' },
    })
    await session.start()
    await session.run(2 * MINUTE)
    await session.leave(5000)
    await session.create()
    await session.run(1000)
    expect(session.said('leftover order canceled')).toHaveLength(1)
    expect(marginOf(session).history.openCount).toBe(0)
  })

  it('finds an order whose answer was lost by its id, and places it once', async () => {
    const session = marginBot({ strategy: bidder, klines: flatMarket(100, 60) })
    session.journeyOf = call => (call === PLACE ? ANSWER_LOST : undefined)
    await session.start()
    await session.run(2 * MINUTE)
    expect(session.said('order unknown')).toHaveLength(1)
    expect(marginOf(session).history.size).toBe(1)
    expect(session.said('order open')).toHaveLength(1)
    await expectAgreed(session)
  })
})
