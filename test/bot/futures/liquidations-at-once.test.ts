import { describe, expect, it } from 'vitest'
import { statusWarnings } from '../../../src/bot/log/status-warnings.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { defineStrategy, enterLong, enterShort, type Strategy } from '../../../src/strategy/index.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { klinesOf, MINUTE } from '../../simulator/exchange-caller.ts'
import { ROUND_CONTRACT } from '../../simulator/futures/futures-caller.ts'
import { BotSession, type BotSessionOptions, KEY, SECRET } from '../bot-session.ts'
import { accountOf, walletOf } from './futures-bot.ts'

/** Opens what it is told to, once. */
function holding(name: string, ...entries: readonly ReturnType<typeof enterLong>[]): Strategy {
  return defineStrategy({
    name,
    state: () => ({ row: 0 }),
    onKline: (_kline, { state }) => entries[state.row++],
  })
}

/** A market at 100 that falls to another price after so many minutes. */
function fallAt(minutes: number, price: number): Kline[] {
  return klinesOf(
    ...Array.from({ length: minutes }, () => [100, 100, 100, 100] as const),
    [100, 100, price, price],
    ...Array.from({ length: 40 }, () => [price, price, price, price] as const),
  )
}

const MESSAGES = ['balance adopted from the exchange', 'instrument halted: nothing more is decided on it']

interface Terms {
  readonly positionMode?: 'oneWay' | 'twoWay'
  readonly marginMode?: 'cross' | 'isolated'
  /** Where BTC and ETH fall to. */
  readonly prices: readonly [btc: number, eth: number]
}

/** Two contracts of 0.1 base on one wallet of 40 USDT at 10x. */
function session(
  { positionMode = 'oneWay', marginMode = 'cross', prices: [btc, eth] }: Terms,
  entries: readonly ReturnType<typeof enterLong>[],
  journal?: Journal,
  execution: BotSessionOptions['execution'] = {},
): BotSession {
  const strategies = ['BTC', 'ETH'].map(base => ({
    strategy: holding(`holds-${base.toLowerCase()}`, ...entries),
    symbol: `E-${base}-USDT`,
  }))
  const bot = new BotSession({
    strategy: holding('unused'),
    traded: strategies,
    size: { base: 1 },
    execution,
    accounts: { futures: { leverage: 10, marginMode, positionMode } },
    ...(journal !== undefined && { journal }),
    exchange: {
      listings: ['BTC', 'ETH'].map(base => ({
        symbol: `${base}/USDT`,
        market: { type: 'klines', klines: fallAt(20, base === 'BTC' ? btc : eth) },
      })),
      accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: {}, futuresBalances: { USDT: '40' } }],
      futures: {
        contracts: ['BTC', 'ETH'].map(base => ({
          ...ROUND_CONTRACT,
          symbol: `E-${base}-USDT`,
          fundingHours: 8,
        })),
      },
    },
  }) // The money comes before the bot does.
  bot.exchange.advance(bot.clock.now() - MINUTE)
  return bot
}

const liquidated = (bot: BotSession) =>
  bot.said('position liquidated').map(({ symbol, direction }) => `${symbol} ${direction}`)

it('a position that was liquidated right before a bot leaves flat is found out about before it does', async () => {
  const bot = session({ prices: [50, 100] }, [enterLong()], undefined, { onStop: 'flatten' })
  await bot.start()
  await bot.run(8 * MINUTE)
  while (accountOf(bot).positions().length > 0) await bot.run(1000)
  // The exchange refuses to close what is gone, and the bot only leaves once it knows why.
  const summary = await bot.leave(40_000)
  expect(liquidated(bot)).toEqual(['E-BTC-USDT long', 'E-ETH-USDT long'])
  expect(summary?.position).toEqual({ 'E-BTC-USDT': '0', 'E-ETH-USDT': '0' })
  expect(bot.said('left with unconfirmed orders')).toEqual([])
})

describe('several positions that are liquidated at once', () => {
  it.each([false, true])(
    'are each booked once, with all of the wallet that was left (while the bot is down: %s)',
    async isDown => {
      const journal = new Journal(journalPath())
      const bot = session({ prices: [66, 95] }, [enterLong()], journal)
      await bot.start()
      await bot.run(8 * MINUTE)
      expect(accountOf(bot).positions()).toHaveLength(2)
      if (isDown) await bot.leave(5000)
      // BTC loses 34 of the 39.8 USDT, ETH 5: less is left than the 1.1% of 161 that must be kept.
      await bot.run(4 * MINUTE)
      if (isDown) await bot.start()
      await bot.run(MINUTE)
      expect(accountOf(bot).positions()).toEqual([])
      expect(liquidated(bot)).toEqual(['E-BTC-USDT long', 'E-ETH-USDT long'])
      expect(MESSAGES.filter(message => bot.said(message).length > 0)).toEqual([])
      const wallet = walletOf(bot)
      const summary = await bot.leave(5000)
      expect(summary).toMatchObject({
        balances: { USDT: wallet },
        position: { 'E-BTC-USDT': '0', 'E-ETH-USDT': '0' },
      })
      expect(wallet).toBe('0')
      expect(bot.failures).toEqual([])
      journal.close()
    },
  )

  it('are each booked once where both sides of each contract are held', async () => {
    const bot = session({ positionMode: 'twoWay', prices: [62, 95] }, [
      enterLong(),
      enterShort({ size: { base: 0.1 } }),
    ])
    await bot.start()
    await bot.run(8 * MINUTE)
    expect(accountOf(bot).positions()).toHaveLength(4)
    await bot.run(5 * MINUTE)
    expect(accountOf(bot).positions()).toEqual([])
    expect(liquidated(bot).toSorted()).toEqual([
      'E-BTC-USDT long',
      'E-BTC-USDT short',
      'E-ETH-USDT long',
      'E-ETH-USDT short',
    ])
    expect(MESSAGES.filter(message => bot.said(message).length > 0)).toEqual([])
    const wallet = walletOf(bot)
    expect((await bot.leave(5000))?.balances).toEqual({ USDT: wallet })
    expect(bot.failures).toEqual([])
  })

  it.each([false, true])(
    'of which each has a margin of its own, have each lost that (while the bot is down: %s)',
    async isDown => {
      const journal = new Journal(journalPath())
      const bot = session({ marginMode: 'isolated', prices: [66, 80] }, [enterLong()], journal)
      await bot.start()
      await bot.run(8 * MINUTE)
      const margins = accountOf(bot)
        .positions()
        .map(({ margin }) => amountToText(margin))
      expect(margins).toEqual(['10.001', '10.001'])
      if (isDown) await bot.leave(5000)
      await bot.run(4 * MINUTE)
      if (isDown) await bot.start()
      await bot.run(MINUTE)
      expect(liquidated(bot)).toEqual(['E-BTC-USDT long', 'E-ETH-USDT long'])
      expect(MESSAGES.filter(message => bot.said(message).length > 0)).toEqual([])
      // 40, less two fees of 0.10001 and two margins.
      expect(walletOf(bot)).toBe('19.79798')
      const warnings = statusWarnings(await bot.status())
      expect(warnings.filter(text => text.startsWith('LIQUIDATED'))).toEqual(
        ['BTC', 'ETH'].map(base =>
          expect.stringMatching(
            `^LIQUIDATED: the exchange closed E-${base}-USDT \\(LONG 10 contracts\\) at [\\d.]+ on [-\\d]+ [:\\d]+Z: -10\\.10 USDT after fees; `,
          ),
        ),
      )
      expect((await bot.leave(5000))?.balances).toEqual({ USDT: '19.79798' })
      const results = bot.said('round trip closed').map(({ pnl }) => pnl)
      expect(results).toEqual(['-10.10101 USDT', '-10.10101 USDT'])
      journal.close()
    },
  )
})
