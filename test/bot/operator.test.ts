import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LatestPrices } from '../../src/bot/inputs/latest-prices.ts'
import { replayJournal } from '../../src/bot/state/replay-journal.ts'
import { rateOf } from '../../src/domain/numbers/amount.ts'
import { InvariantError } from '../../src/domain/sluice-error.ts'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { defineStrategy, enterLong } from '../../src/strategy/index.ts'
import { entriesThatDecided } from '../journal/entries-that-decided.ts'
import { journalPath } from '../journal/journal-session.ts'
import { klinesOf, MINUTE } from '../simulator/exchange-caller.ts'
import { BotSession } from './bot-session.ts'
import { bidder, flipper, once } from './test-strategies.ts'

/** Buys once with a stop-loss, and holds. */
const holder = defineStrategy({
  name: 'holder',
  onKline: (_kline, { position }) =>
    position.direction === 'flat' ? enterLong({ stopLoss: 90 }) : undefined,
})

async function started(strategy = flipper, journal?: Journal): Promise<BotSession> {
  const session = new BotSession({ strategy, ...(journal !== undefined && { journal }) })
  await session.start()
  return session
}

describe('the operator of a running bot', () => {
  it('pauses it: entries are canceled at the exchange and denied, until the time is over', async () => {
    const session = await started(bidder)
    await session.run(MINUTE + 2000)
    expect(session.openIds).toHaveLength(1)
    expect(await session.operate('pause', { forMs: 5 * MINUTE })).toContain(
      'Trading of the account is reducing.',
    )
    expect(await session.operate('status')).toBe(
      'Trading of the account is reducing. The operator paused. Until 2024-01-01 00:16:02Z.',
    )
    await session.run(4 * MINUTE)
    expect(session.openIds).toEqual([])
    expect(session.said('order denied').map(({ rule }) => rule)).toEqual(Array(4).fill('tradingState'))
    await session.run(2 * MINUTE)
    expect(session.said('trading active')).toHaveLength(1)
    expect(session.openIds).toHaveLength(1)
  })

  it('is told once a pause is over, also where no kline has come since', async () => {
    const session = await started(holder)
    await session.run(MINUTE + 2000)
    await session.operate('pause', { forMs: 20_000 })
    await session.run(19_000)
    expect((await session.status()).trading.map(({ effectiveMode }) => effectiveMode)).toEqual(
      Array(3).fill('reducing'),
    )
    await session.run(1000)
    // The next kline closes 38 s later, and the log tells of the end then.
    expect(session.said('trading active')).toEqual([])
    const { trading } = await session.status()
    expect(trading.map(({ mode, effectiveMode, holds }) => [mode, effectiveMode, holds])).toEqual(
      Array(3).fill(['active', 'active', []]),
    )
    expect(await session.operate('status')).toBe('Trading of the account is active.')
    await session.run(MINUTE)
    expect(session.said('trading active')).toHaveLength(1)
  })

  it('halts it: nothing is sent any more, and the stop-loss still works', async () => {
    const session = await started(holder)
    await session.run(2 * MINUTE)
    await session.operate('halt', { reason: 'I do not trust this' })
    const status = async () => session.operate('status')
    expect(await status()).toContain('The operator halted: I do not trust this.')
    await session.run(5 * MINUTE)
    expect(session.said('order open').filter(({ purpose }) => purpose === 'stopLoss')).toHaveLength(1)
    expect(session.said('order canceled')).toEqual([])
    expect(session.user.history.openOrders).toEqual([])
  })

  it('once halted, says of a command that is no stricter that it changes nothing, and still closes by kill', async () => {
    const session = await started(holder)
    await session.run(MINUTE + 2000)
    await session.operate('halt', { reason: 'first' })
    const halted = 'Trading of the account is halted. The operator halted: first.'
    expect(await session.operate('halt', { reason: 'second' })).toBe(
      `It was halted before: this changes nothing, and the reason of then stays. ${halted}`,
    )
    expect(await session.operate('pause', { forMs: MINUTE })).toBe(
      `It was halted before, which is stricter: this changes nothing; resume it first to pause it. ${halted}`,
    )
    expect(await session.operate('kill')).toBe(`Closed: LONG 0.999 BTC of BTC/USDT. ${halted}`)
    expect(await session.operate('kill')).toBe(`Nothing was held. ${halted}`)
    expect(await session.operate('resume')).toBe('Trading of the account is active.')
    await session.operate('pause', { forMs: MINUTE })
    // A pause is set anew, and what is stricter holds further.
    expect(await session.operate('pause', { forMs: 5 * MINUTE })).toMatch(
      /^Trading of the account is reducing\./,
    )
    expect(await session.operate('halt')).toBe('Trading of the account is halted. The operator halted.')
  })

  it('flattens it: what is held is sold, and the strategy goes on', async () => {
    const session = await started(holder)
    await session.run(MINUTE + 2000)
    // 1 BTC less a fee of 0.1% in base.
    expect(await session.operate('flatten')).toBe(
      'Closed: LONG 0.999 BTC of BTC/USDT. Trading of the account is active.',
    )
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
    await session.run(MINUTE)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell', 'buy'])
  })

  it('kills it: what is held is sold, and nothing is bought again', async () => {
    const session = await started(holder)
    await session.run(MINUTE + 2000)
    expect(await session.operate('kill')).toBe(
      'Closed: LONG 0.999 BTC of BTC/USDT. Trading of the account is halted. The operator pulled the kill switch.',
    )
    await session.run(10 * MINUTE)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
    const summary = await session.leave(MINUTE)
    expect(summary).toMatchObject({
      position: { 'BTC/USDT': '0' },
      trading: { account: 'halted' },
      tradingChanges: 1,
    })
  })

  it('is told that nothing was held to be closed', async () => {
    const session = await started(bidder)
    await session.run(MINUTE + 2000)
    expect(await session.operate('flatten')).toBe('Nothing was held. Trading of the account is active.')
    expect(session.openIds).toEqual([])
  })

  it('is told within 8 s what is still being closed, why, and how to look', async () => {
    let refuses = false
    const body = JSON.stringify({ code: -2016, msg: 'Trading is frozen.' })
    const session = new BotSession({
      strategy: holder,
      host: exchange => request =>
        refuses && request.method === 'POST' && request.url.endsWith('/order')
          ? Promise.resolve({ status: 200, body })
          : exchange(request),
    })
    await session.start()
    await session.run(MINUTE + 2000)
    refuses = true
    const asked = session.clock.now()
    expect(await session.operate('flatten')).toBe(
      'Still being closed: LONG 0.999 BTC of BTC/USDT. The exchange refused spotNewOrder with -2016 EXCHANGE_LOCK (HTTP 200): Trading is frozen. Look again with "npm run -s bot -- status". Trading of the account is active.',
    )
    expect(session.clock.now() - asked).toBe(8000)
    refuses = false
    await session.run(MINUTE)
    expect(
      session
        .said('fill')
        .map(({ side }) => side)
        .slice(0, 2),
    ).toEqual(['buy', 'sell'])
  })

  it.each([
    ['bare', {}],
    ['with a take-profit', { takeProfit: 200 }],
  ])('is told at once what cannot be closed, %s', async (_what, protection) => {
    // 0.10989 at 80 are worth less than the 10 that an order must be.
    const prices = Array.from({ length: 60 }, (_, minute) => (minute < 12 ? 100 : 80))
    const session = new BotSession({
      strategy: once(() => enterLong(protection)),
      size: { base: 0.11 },
      klines: klinesOf(...prices.map(price => [price, price, price, price] as const)),
    })
    await session.start()
    await session.run(4 * MINUTE)
    const asked = session.clock.now()
    expect(await session.operate('flatten')).toMatch(
      /^NOT closed: LONG 0\.10989 BTC of BTC.USDT\. The order is worth 8\.\d+ USDT, below the smallest order of BTC.USDT, 10 USDT\. Look again with "npm run -s bot -- status"\. Trading of the account is active\.$/,
    )
    expect(session.clock.now()).toBe(asked)
  })

  it('is told what to sell by hand, where remainders of two strategies are enough only together', async () => {
    const prices = Array.from({ length: 60 }, (_, minute) => (minute < 12 ? 100 : 80))
    const [one, other] = [once(() => enterLong(), 'one'), once(() => enterLong(), 'other')]
    const session = new BotSession({
      strategy: one,
      traded: [one, other].map(strategy => ({ strategy, symbol: 'BTC/USDT' })),
      size: { base: 0.11 },
      klines: klinesOf(...prices.map(price => [price, price, price, price] as const)),
    })
    await session.start()
    await session.run(4 * MINUTE)
    // 0.10989 at 80 are worth 8.79, twice that is 17.58.
    expect(await session.operate('flatten')).toContain(
      'Each is less than the smallest order, and together they are not: sell 0.21978 BTC of BTC/USDT at the exchange by hand, which this bot books. Look again',
    )
  })

  it.each([
    ['kill', { symbol: 'BTC/USDC' }, 'This bot does not trade BTC/USDC. Did you mean "BTC/USDT"?'],
    ['pause', {}, 'A pause needs its length; to hold back until you resume, use reduce or halt.'],
    ['halt', { forMs: 1 }, 'Only a pause has a length; leave it out of halt.'],
  ] as const)('who asks for %s %j is told what is wrong', async (command, more, message) => {
    const session = await started()
    expect(await session.operate(command, more)).toBe(message)
    expect(session.said('operator command')).toEqual([])
  })

  it('halts one instrument, and resumes it by name', async () => {
    const session = await started(holder)
    expect(await session.operate('halt', { symbol: 'BTC/USDT' })).toBe(
      'Trading of BTC/USDT is halted. The operator halted.',
    )
    await session.run(2 * MINUTE)
    expect(session.said('fill')).toEqual([])
    expect(await session.operate('resume')).toBe(
      'Trading of the account is active, but trading of BTC/USDT is still halted. The operator halted.',
    )
    expect(await session.operate('resume', { symbol: 'BTC/USDT' })).toBe('Trading of BTC/USDT is active.')
    await session.run(MINUTE)
    expect(session.said('fill')).toHaveLength(1)
  })

  it('is told that the account still holds an instrument back, of which no command says that it is active', async () => {
    const session = await started(holder)
    await session.operate('kill')
    const held = 'halted, because the account is: The operator pulled the kill switch.'
    expect(await session.operate('resume', { symbol: 'BTC/USDT' })).toBe(
      `Trading of BTC/USDT is still ${held}`,
    )
    expect(await session.operate('flatten', { symbol: 'BTC/USDT' })).toBe(
      `Nothing was held. Trading of BTC/USDT is ${held}`,
    )
    await session.operate('halt', { symbol: 'BTC/USDT' })
    expect(await session.operate('resume')).toBe(
      'Trading of the account is active, but trading of BTC/USDT is still halted. The operator halted.',
    )
    expect(await session.operate('resume', { symbol: 'BTC/USDT' })).toBe('Trading of BTC/USDT is active.')
  })

  it.each(['status', 'halt'] as const)(
    'is told where the status cannot be made for %s, and the bot goes on',
    async command => {
      const session = await started(holder)
      await session.run(MINUTE + 2000)
      const priceOf = vi.spyOn(LatestPrices.prototype, 'priceOf').mockImplementation(() => {
        throw new InvariantError('No such price.')
      })
      onTestFinished(() => priceOf.mockRestore())
      expect(await session.operate(command)).toBe(
        `${command === 'halt' ? 'The command is carried out, but the' : 'The'} status could not be made: No such price.`,
      )
      expect(session.said('the status could not be made')).toHaveLength(1)
      priceOf.mockRestore()
      expect(session.failures).toEqual([])
      expect(await session.operate('status')).toContain(
        `Trading of the account is ${command === 'halt' ? 'halted' : 'active'}.`,
      )
    },
  )

  it('is told that a status is of the whole bot, where it names an instrument', async () => {
    const session = await started(holder)
    expect(await session.operate('status', { symbol: 'BTC/USDT' })).toBe(
      'The status is that of the whole bot; leave BTC/USDT out.',
    )
  })

  it('is told when the bot is shutting down', async () => {
    const session = await started()
    await session.leave(MINUTE)
    expect(await session.operate('status')).toBe('The bot is shutting down.')
  })
})

describe('a bot with a journal', () => {
  it('stays killed after a restart, until it is resumed, and its journal replays', async () => {
    const path = journalPath()
    const first = new Journal(path)
    const killed = await started(flipper, first)
    await killed.run(2 * MINUTE)
    await killed.operate('kill')
    await killed.run(MINUTE)
    await killed.leave(MINUTE)
    first.close()

    const second = new Journal(path)
    const again = await started(flipper, second)
    expect(again.said('trading halted')).toHaveLength(1)
    await again.run(5 * MINUTE)
    expect(again.said('fill')).toEqual([])
    expect(await again.operate('resume')).toContain('Trading of the account is active.')
    await again.run(3 * MINUTE)
    expect(again.said('fill').length).toBeGreaterThan(0)
    await again.leave(MINUTE)
    second.close()

    const third = new Journal(path)
    const resumed = await started(flipper, third)
    expect(resumed.said('trading halted')).toEqual([])
    await resumed.leave(MINUTE)
    third.close()
    const reader = new JournalReader(path)
    expect(await replayJournal(reader, async () => flipper)).toMatchObject({
      sessions: 3,
      difference: undefined,
    })
    reader.close()
  })

  it('has a halt on the disk before the operator hears of it', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const session = await started(bidder, journal)
    await session.operate('halt')
    const reader = new JournalReader(path)
    expect(entriesThatDecided(reader, 'tradingStateChanged')).toHaveLength(1)
    reader.close()
    await session.leave(MINUTE)
    journal.close()
  })

  it('keeps each command with who sent it, from where, why and with what result, also one that was refused', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const session = await started(holder, journal)
    await session.run(MINUTE + 2000)
    await session.operate('status')
    await session.operate('flatten', { reason: 'news at noon' })
    await session.operate('pause')
    const reader = new JournalReader(path)
    const kept = [...reader.entries()].filter(({ kind }) => kind === 'operator').map(({ body }) => body)
    reader.close()
    const origin = { from: 'terminal', who: 'operator' }
    expect(kept).toEqual([
      {
        type: 'operatorCommanded',
        origin,
        request: { command: 'flatten', reason: 'news at noon' },
        ok: true,
        message: 'Closed: LONG 0.999 BTC of BTC/USDT. Trading of the account is active.',
      },
      {
        type: 'operatorCommanded',
        origin,
        request: { command: 'pause' },
        ok: false,
        message: 'A pause needs its length; to hold back until you resume, use reduce or halt.',
        isRefused: true,
      },
    ])
    await session.leave(MINUTE)
    journal.close()
  })

  it('says so where it has none', async () => {
    const session = await started()
    expect(session.said('without a journal a restart forgets what was paused or halted')).toHaveLength(1)
  })
})

describe('what a bot measures beside the market', () => {
  it('holds entries back while data are stale', async () => {
    const session = new BotSession({
      strategy: bidder,
      risk: { protections: { staleData: { gapPauseMs: 0, mode: 'reducing' } } },
    })
    await session.start()
    await session.run(10_000)
    session.journeyOf = () => ({ refused: true })
    await session.run(2 * MINUTE)
    expect(session.said('trading reducing').length).toBeGreaterThan(0)
    session.journeyOf = () => undefined
    await session.run(MINUTE)
    expect(session.said('trading active')).toHaveLength(1)
    expect(session.failures).toEqual([])
  })

  it('holds entries back while the exchange’s time is uncertain', async () => {
    let uncertainty = 10
    const session = new BotSession({
      strategy: bidder,
      risk: { protections: { clockUncertainty: { maxMs: 500, mode: 'reducing' } } },
      clockUncertaintyMs: () => uncertainty,
    })
    await session.start()
    await session.run(30_000)
    expect(session.said('trading reducing')).toEqual([])
    uncertainty = 501
    await session.run(2000)
    expect(session.said('trading reducing')).toHaveLength(1)
    uncertainty = 500
    await session.run(2000)
    expect(session.said('trading active')).toHaveLength(1)
  })

  it('holds entries back while the spread is wide', async () => {
    const journal = new Journal(journalPath())
    const session = new BotSession({
      strategy: bidder,
      journal,
      // The market maker quotes a cent on either side of 100.
      risk: {
        protections: { spread: { maxRate: 0.00001, mode: 'reducing' } },
        limits: { priceBandRate: rateOf('0.5') },
      },
    })
    await session.start()
    await session.run(3 * MINUTE)
    expect(session.said('trading reducing')).toHaveLength(1)
    expect(session.openIds).toEqual([])
    await session.leave(MINUTE)
    journal.close()
  })
})
