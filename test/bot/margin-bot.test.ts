import { describe, expect, it } from 'vitest'
import { statusText } from '../../src/cli/bot-status-text.ts'
import type { Kline } from '../../src/domain/kline.ts'
import { Journal } from '../../src/journal/journal.ts'
import { defineStrategy, enterLong, enterShort } from '../../src/strategy/index.ts'
import { ANSWER_LOST, REQUEST_LOST } from '../faulty-transport.ts'
import { journalPath } from '../journal/journal-session.ts'
import { flatMarket, klinesOf, MINUTE } from '../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from './bot-session.ts'
import { byHand, declaredOf, marginBot, marginOf, moneyOf } from './margin-bot.ts'
import { bidder, flipper } from './test-strategies.ts'

const PLACE = 'POST /sapi/v2/margin/order'
const CANCEL = 'POST /sapi/v2/margin/cancel'

/** Enters once, and keeps what it has. */
const once = (enter: () => ReturnType<typeof enterLong>) =>
  defineStrategy({
    name: 'once',
    state: () => ({ isDone: false }),
    onKline: (_kline, { state }) => {
      if (state.isDone) return undefined
      state.isDone = true
      return enter()
    },
  })

/** A market at 100 that goes to another price after so many minutes. */
function stepAt(minutes: number, price: number, after = 30): Kline[] {
  return klinesOf(
    ...Array.from({ length: minutes }, () => [100, 100, 100, 100] as const),
    [100, Math.max(100, price), Math.min(100, price), price],
    ...Array.from({ length: after }, () => [price, price, price, price] as const),
  )
}

/** Books and exchange hold the same, to the last digit, and nothing was borrowed. */
async function expectAgreed(session: BotSession): Promise<void> {
  const summary = await session.leave(5000)
  expect(summary?.balances).toEqual(moneyOf(session))
  expect([...marginOf(session).credit.debts]).toEqual([])
  expect(session.failures).toEqual([])
}

const trade = (session: BotSession, side: 'BUY' | 'SELL', volume: string, price: string) =>
  byHand(session).post('/sapi/v2/margin/order', { symbol: 'BTC/USDT', side, type: 'LIMIT', volume, price })

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
        why: 'The balances of the margin account cannot be read: the books begin with what is declared and go on by trades. Debts, interest and transfers are not seen, and nothing is borrowed.',
      }),
    ])
    expect(session.said('account').map(({ balances }) => balances)).toEqual([{ USDT: '1000' }])
    const answer = await bot.operate({ command: 'status' })
    expect(answer.ok && statusText(answer.status)).toContain(
      session.said('margin balances are unverified')[0]?.why,
    )
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
    trade(session, 'BUY', '0.5', '80')
    await session.run(2 * MINUTE)
    await session.leave(5000)
    await session.start()
    await session.run(2 * MINUTE)
    expect(marginOf(session).history.openCount).toBe(2)
    // Once in each of two lives.
    expect(session.said('an order of somebody else is open, left alone')).toHaveLength(2)
    expect(session.said('canceled an order that an earlier run left open')).toEqual([])
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
    expect(session.said('canceled an order that an earlier run left open')).toHaveLength(1)
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

describe('a trade of somebody else on a margin account', () => {
  it('is booked, and holds its instrument back until somebody resumes it', async () => {
    const session = marginBot({ strategy: flipper, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(1.5 * MINUTE)
    trade(session, 'BUY', '0.5', '101')
    await session.run(2 * MINUTE)
    expect(session.said('somebody else traded on this account')).toHaveLength(1)
    const [hold] = session.said('trading halted')
    expect(JSON.stringify(hold)).toContain('Somebody else bought 0.5 BTC at 100.01 (trade')
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
    trade(session, 'BUY', '0.5', '101')
    trade(session, 'SELL', '0.2', '99')
    await session.run(5 * MINUTE)
    expect(session.said('somebody else traded on this account')).toHaveLength(2)
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
    trade(session, 'SELL', '0.6', '99')
    await session.run(2 * MINUTE)
    expect(
      session.said('instrument halted: nothing more is decided on it').map(({ reason }) => reason),
    ).toEqual([
      'Others left 0.399 BTC on the margin account, less than the 0.999 of our positions; bring it back or start with a new journal.',
    ])
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
    trade(session, 'SELL', '0.5', '90')
    await session.run(2 * MINUTE)
    expect(session.said('fill')).toHaveLength(1)
    expect(session.said('somebody else traded on this account')).toHaveLength(1)
    await expectAgreed(session)
  })
})

describe('the declared balances of a margin account', () => {
  const journalled = (journal: Journal, declared: Readonly<Record<string, string>>) =>
    marginBot({ strategy: flipper, klines: flatMarket(100, 60), journal, declared, held: { USDT: '1000' } })

  it('are not read again once the journal has them, and a change is said with what to do', async () => {
    const path = journalPath()
    const first = new Journal(path)
    const session = journalled(first, { USDT: '1000' })
    await session.start()
    await session.run(5.5 * MINUTE)
    const before = await session.leave(5000)
    first.close()
    for (let start = 0; start < 2; start++) {
      const second = new Journal(path)
      const again = journalled(second, { USDT: '5000', BTC: '1' })
      await again.create()
      expect(again.said('account').map(({ balances }) => balances)).toEqual([before?.balances])
      expect(again.said('the declared margin balances were changed, and do not count')).toEqual([
        expect.objectContaining({
          why: 'The configuration declares 1 BTC and 5000 USDT on the margin account, but the journal began with 1000 USDT and has booked every own trade since: the journal counts. Put the old declaration back, or, to begin with the new one, close what is held and start with a new journal.',
        }),
      ])
      await again.leave(5000)
      second.close()
    }
  })

  it('are not said to have changed when they are written otherwise', async () => {
    const path = journalPath()
    for (const declared of [
      { USDT: '1000', BTC: '0' },
      { BTC: '0.0', USDT: '1000.00' },
    ]) {
      const journal = new Journal(path)
      const session = journalled(journal, declared)
      await session.create()
      expect(session.said('the declared margin balances were changed, and do not count')).toEqual([])
      await session.leave(5000)
      journal.close()
    }
  })

  it('are refused where the journal trades the symbol on another account', async () => {
    const path = journalPath()
    const first = new Journal(path)
    const spot = new BotSession({ strategy: flipper, journal: first })
    await spot.create()
    await spot.leave(5000)
    first.close()
    const second = new Journal(path)
    await expect(journalled(second, { USDT: '1000' }).create()).rejects.toThrow(
      'The configuration trades BTC/USDT on the margin account, but the journal on the spot account.',
    )
    second.close()
  })
})

describe('a bot with a spot and a margin account', () => {
  it('trades each pair on its account, with its money, and goes on so after a restart', async () => {
    const journal = new Journal(journalPath())
    const klines = flatMarket(100, 200)
    const session = new BotSession({
      strategy: flipper,
      traded: [
        { strategy: { ...flipper, name: 'spot' }, symbol: 'BTC/USDT' },
        { strategy: { ...flipper, name: 'margin' }, symbol: 'ETH/USDT' },
      ],
      accounts: {
        spot: {},
        margin: { balances: declaredOf({ USDT: '300' }), symbols: ['ETH/USDT'], foreignTrades: 'halt' },
      },
      journal,
      exchange: {
        listings: ['BTC/USDT', 'ETH/USDT'].map(symbol => ({ symbol, market: { type: 'klines', klines } })),
        accounts: [
          {
            ...{ apiKey: KEY, apiSecret: SECRET },
            balances: { USDT: '500' },
            marginBalances: { USDT: '300' },
          },
        ],
      },
    })
    await session.start()
    await session.run(3.5 * MINUTE)
    await session.leave(5000)
    await session.start()
    await session.run(4 * MINUTE)
    const bases = (orders: readonly { readonly instrument: { readonly base: string } }[]) =>
      new Set(orders.map(({ instrument }) => instrument.base))
    expect(bases(session.user.history.orders)).toEqual(new Set(['BTC']))
    expect(bases(marginOf(session).history.orders)).toEqual(new Set(['ETH']))
    expect(session.said('balance differs from the ledger, taken over')).toEqual([])
    expect(session.said('instrument halted: nothing more is decided on it')).toEqual([])
    const summary = await session.leave(5000)
    const { free } = session.user.account.holding('USDT')
    const both = Number(moneyOf(session).USDT) + Number(free) / 1e18
    expect(Number(summary?.balances.USDT)).toBeCloseTo(both, 9)
    expect(summary?.balances.ETH).toBe(moneyOf(session).ETH)
    expect(session.failures).toEqual([])
    journal.close()
  })
})
