import { describe, expect, it } from 'vitest'
import { statusText } from '../../../src/cli/bot/bot-status-text.ts'
import { summaryText } from '../../../src/cli/bot/bot-summary-text.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { flatMarket, MINUTE } from '../../simulator/exchange-caller.ts'
import type { BotSession } from '../bot-session.ts'
import { holder } from '../test-strategies.ts'
import { accountOf, byHand, expectAgreed, futuresBot, stepAt, walletOf } from './futures-bot.ts'

/** Buys, waits to buy more far below, and sells at the seventh kline. */
const deeper = defineStrategy({
  name: 'deeper',
  state: () => ({ row: 0 }),
  onKline: (_kline, { state }) =>
    [
      enterLong({ size: { base: 1 } }),
      enterLong({ size: { base: 0.5 }, scaleIn: true, keep: true, order: { type: 'limit', price: 88 } }),
      undefined,
      undefined,
      undefined,
      undefined,
      exit(),
    ][state.row++],
})

/** Buys at the first kline and again at the fourth, and sells at the sixth. */
const buyingAgain = defineStrategy({
  name: 'buying-again',
  state: () => ({ row: 0 }),
  onKline: (_kline, { state }) => {
    const buys = enterLong({ size: { base: 1 }, scaleIn: true })
    return [buys, undefined, undefined, buys, undefined, exit()][state.row++]
  },
})

/** A bot that holds an isolated position behind which a person has put 5 USDT of margin just now. */
async function backedByHand(): Promise<BotSession> {
  const account = { type: 'futures', leverage: 10, marginMode: 'isolated' } as const
  const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60), account })
  await session.start()
  await session.run(2 * MINUTE)
  const [position] = accountOf(session).positions()
  byHand(session).post('/fapi/v1/edit_position_margin', { positionId: position?.id, amount: 5 })
  return session
}

describe('a futures account that the exchange or a person changes under a running bot', () => {
  it.each(['cross', 'isolated'] as const)(
    'books a liquidation of a %s position with all that it cost, and goes on',
    async marginMode => {
      const session = futuresBot({
        strategy: holder,
        klines: stepAt(15, 80),
        money: '20',
        account: { type: 'futures', leverage: 10, marginMode },
      })
      await session.start()
      await session.run(10 * MINUTE)
      expect(accountOf(session).positions()).toEqual([])
      expect(session.said('position liquidated')).toHaveLength(1)
      expect(session.said('the exchange holds less of a position than the ledger')).toEqual([
        expect.objectContaining({
          direction: 'long',
          quantity: '10',
          size: '10 contracts',
          cause: 'liquidation',
        }),
      ])
      expect(session.said('instrument halted: nothing more is decided on it')).toEqual([])
      expect(session.said('balance adopted from the exchange')).toEqual([])
      await expectAgreed(session)
    },
  )

  it('books what a person closes by hand, with what it brought, 2.5 s after the first comparison that shows it', async () => {
    const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(2 * MINUTE)
    byHand(session).order('SELL', 'CLOSE', 'MARKET', 4)
    await session.run(13_000) // a comparison begins every 10 s
    expect(session.said('position closed by a foreign order')).toEqual([
      expect.objectContaining({ quantity: '4', direction: 'long' }),
    ])
    await expectAgreed(session)
  })

  it.each([
    ['isolated', 'oneWay', 4, '0.039996'],
    ['cross', 'twoWay', 10, '0.09999'],
    ['isolated', 'twoWay', 4, '0.039996'],
    ['isolated', 'twoWay', 10, '0.09999'],
  ] as const)(
    'books what a person closes at the price and fee of that trade (%s, %s, %i contracts)',
    async (marginMode, positionMode, contracts, fee) => {
      const account = { type: 'futures', leverage: 10, marginMode, positionMode } as const
      const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60), account })
      await session.start()
      await session.run(2 * MINUTE)
      byHand(session).order('SELL', 'CLOSE', 'MARKET', contracts)
      await session.run(33_000)
      // Contracts of 0.1 BTC at the bid of 99.99, of which 0.1% is the fee.
      const sales = session.said('fill').filter(({ side }) => side === 'sell')
      expect(sales.map(({ price, fee }) => [price, fee])).toEqual([['99.99', `${fee} USDT`]])
      expect(session.said('the exchange holds less of a position than the ledger')).toEqual([
        expect.objectContaining({ cause: 'trades' }),
      ])
      expect((await session.status()).balances).toEqual({ USDT: walletOf(session) })
    },
  )

  it('books what a person closes while a comparison reads, at the price and fee of that trade', async () => {
    const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(2 * MINUTE)
    let isClosed = false
    session.journeyOf = call => {
      // The account was read, the trades are read next.
      if (call !== 'GET /fapi/v1/myTrades' || isClosed) return undefined
      isClosed = true
      byHand(session).order('SELL', 'CLOSE', 'MARKET', 4)
      return undefined
    }
    await session.run(33_000)
    expect(session.said('the exchange holds less of a position than the ledger')).toEqual([
      expect.objectContaining({ quantity: '4', size: '4 contracts', cause: 'trades' }),
    ])
    // 4 contracts of 0.1 BTC at the bid of 99.99: 39.996 USDT, of which 0.1% is the fee.
    const sales = session.said('fill').filter(({ side }) => side === 'sell')
    expect(sales.map(({ price, fee }) => [price, fee])).toEqual([['99.99', '0.039996 USDT']])
    await expectAgreed(session)
  })

  it('says that others traded, where only their fees are left on the account', async () => {
    const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(2 * MINUTE)
    const person = byHand(session)
    person.order('BUY', 'OPEN', 'MARKET', 4)
    person.order('SELL', 'CLOSE', 'MARKET', 4)
    await session.run(33_000)
    expect(session.said('balance adopted from the exchange')).toEqual([
      expect.objectContaining({ asset: 'USDT', cause: 'trades' }),
    ])
    const summary = await session.leave(5000)
    // 4 contracts bought at 100.01 and sold at 99.99: 0.008 USDT less, and 0.1% of each, 0.040004 and 0.039996.
    expect(summary).toMatchObject({ moved: { USDT: '-0.088' }, other: { USDT: '0' } })
    expect(summary === undefined ? '' : summaryText(summary)).toContain(
      '-0.088 USDT into or out of the account, or by trades of others on it: no profit',
    )
  })

  it('books what a person closed before an entry that filled before anybody knew', async () => {
    const session = futuresBot({ strategy: buyingAgain, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(3 * MINUTE)
    session.exchange.stage({ type: 'shock', time: session.clock.now(), symbol: 'BTC/USDT', price: '110' })
    // Half a second after its close the bot has the fourth kline, on which it buys ten more.
    await session.run(MINUTE + 200)
    byHand(session).order('SELL', 'CLOSE', 'MARKET', 4)
    await session.run(4 * MINUTE)
    expect(session.said('position closed by a foreign order').map(({ quantity }) => quantity)).toEqual(['4'])
    // The exchange counts 6 at 100.01 and 10 at 110.01, not 16 at their average.
    expect(session.said('instrument halted: nothing more is decided on it')).toEqual([])
    expect(session.said('balance adopted from the exchange')).toEqual([])
    await expectAgreed(session)
  })

  it('halts a contract of which a person opened more, says why, and says it once', async () => {
    const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(2 * MINUTE)
    byHand(session).order('BUY', 'OPEN', 'MARKET', 4)
    await session.run(3 * MINUTE)
    expect(
      session.said('instrument halted: nothing more is decided on it').map(({ reason }) => reason),
    ).toEqual([
      'The exchange has 14 contracts of E-BTC-USDT long, our books 10; bring them together by hand, then restart the bot.',
    ])
  })

  it.each(['before', 'after'] as const)(
    'adopts the entry price of as many contracts as it held, where a person brought them together %s the bot was stopped, and goes on',
    async order => {
      const journal = new Journal(journalPath())
      const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60), journal })
      const trade = async (side: string, open: string, contracts: number) => {
        byHand(session).order(side, open, 'MARKET', contracts)
        await session.run(MINUTE)
      }
      await session.start()
      await session.run(2 * MINUTE)
      session.exchange.stage({ type: 'shock', time: session.clock.now(), symbol: 'BTC/USDT', price: '110' })
      await trade('BUY', 'OPEN', 4)
      await trade('SELL', 'CLOSE', 6)
      if (order === 'before') await trade('BUY', 'OPEN', 2)
      await session.leave(5000)
      if (order === 'after') await trade('BUY', 'OPEN', 2)
      const halts = () => session.said('instrument halted: nothing more is decided on it').length
      expect(halts()).toBe(1)
      await session.start()
      expect(session.said('a strategy that had stopped decides again')).toEqual([
        expect.objectContaining({
          book: 'BTC/USDT',
          halted:
            'The exchange has 14 contracts of E-BTC-USDT long, our books 10; bring them together by hand, then restart the bot.',
        }),
      ])
      await session.run(MINUTE)
      // 10 at 100.01 and 4 at 110.01 cost 144.014 USDT, of which 8 of 14 stayed; 2 at 110.01 cost 22.002 USDT.
      expect(session.said('entry price adopted from the exchange')).toEqual([
        expect.objectContaining({
          ...{ symbol: 'BTC/USDT', direction: 'long', size: '10 contracts' },
          ...{ ledger: '100.01', exchange: '104.295714285714285715' },
        }),
      ])
      const [held] = (await session.status()).held
      expect([held?.quantity, held?.entryPrice]).toEqual(['10', '104.295714285714285715'])
      const adopted = session.said('balance adopted from the exchange').length
      expect(await session.operate('flatten')).toContain('Closed: LONG 10 contracts of BTC/USDT.')
      await session.run(MINUTE)
      expect(session.said('balance adopted from the exchange')).toHaveLength(adopted)
      expect([halts(), session.said('entry price adopted from the exchange').length]).toEqual([1, 1])
      await expectAgreed(session)
      journal.close()
    },
  )

  it('says in status, while contracts differ, that positions and money are the books, and what the account has', async () => {
    const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
    const line = async () =>
      statusText(await session.status())
        .split('\n')
        .filter(one => one.startsWith('BOOKS AND ACCOUNT DIFFER'))
    await session.start()
    await session.run(2 * MINUTE)
    expect(await line()).toEqual([])
    byHand(session).order('BUY', 'OPEN', 'MARKET', 4)
    await session.run(MINUTE)
    const contract = { symbol: 'BTC/USDT', contract: 'E-BTC-USDT', direction: 'long', unit: 'contracts' }
    const status = await session.status()
    expect(status.differing).toEqual([{ ...contract, quantity: '14' }])
    const books =
      'BOOKS AND ACCOUNT DIFFER: positions and money below are the books of this bot; the account has'
    expect(await line()).toEqual([`${books} LONG 14 contracts of BTC/USDT (E-BTC-USDT).`])
    const bare = { ...status, differing: status.differing.map(one => ({ ...one, quantity: '0' })) }
    expect(statusText(bare)).toContain(`${books} no LONG contracts of BTC/USDT (E-BTC-USDT).`)
    byHand(session).order('SELL', 'CLOSE', 'MARKET', 4)
    await session.run(MINUTE)
    expect(await line()).toEqual([])
  })

  it.each([
    ['one order', [['OPEN', 20]]],
    [
      'two orders',
      [
        ['CLOSE', 10],
        ['OPEN', 10],
      ],
    ],
  ] as const)(
    'books its part of a position that a person turns round by %s, names both sides, and goes on once the rest is closed',
    async (_how, sales) => {
      const journal = new Journal(journalPath())
      const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60), journal })
      await session.start()
      await session.run(2 * MINUTE)
      for (const [action, contracts] of sales) byHand(session).order('SELL', action, 'MARKET', contracts)
      await session.run(MINUTE)
      const turned =
        'The position of E-BTC-USDT is turned round on the account: our 10 long are closed there and booked so, and the exchange has 10 short, our books 0; close those at the exchange, then restart the bot.'
      expect(
        session.said('instrument halted: nothing more is decided on it').map(({ reason }) => reason),
      ).toEqual([turned])
      // 1 BTC from 100.01 to 99.99, and 0.1% of both.
      expect(session.said('round trip closed').map(({ pnl }) => pnl)).toEqual(['-0.22 USDT'])
      const sold = session.said('fill').filter(({ side }) => side === 'sell')
      expect(sold.map(({ price, fee }) => [price, fee])).toEqual([['99.99', '0.09999 USDT']])
      const status = await session.status()
      expect([status.positions, status.held]).toEqual([{ 'BTC/USDT': '0' }, []])
      const short = { symbol: 'BTC/USDT', contract: 'E-BTC-USDT', direction: 'short', unit: 'contracts' }
      expect(status.differing).toEqual([{ ...short, quantity: '10' }])
      expect(status.foreign).toEqual([{ ...short, quantity: '10' }])
      expect(await session.operate('flatten')).toContain(
        'Nothing was held. NOT of this bot, and still open: SHORT 10 contracts of BTC/USDT (E-BTC-USDT).',
      )
      expect(accountOf(session).records.orders).toHaveLength(1 + sales.length)
      byHand(session).order('BUY', 'CLOSE', 'MARKET', 10)
      await session.run(MINUTE)
      await session.leave(5000)
      await session.start()
      await session.run(MINUTE)
      expect((await session.status()).trading.map(({ effectiveMode }) => effectiveMode)).toEqual([
        'active',
        'active',
        'active',
      ])
      await expectAgreed(session)
      journal.close()
    },
  )

  it.each([
    ['isolated', 'oneWay'],
    ['cross', 'twoWay'],
    ['isolated', 'twoWay'],
  ] as const)(
    'counts the fee of contracts that a person opens besides closing ours for none of ours (%s, %s)',
    async (marginMode, positionMode) => {
      const account = { type: 'futures', leverage: 10, marginMode, positionMode } as const
      const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60), account })
      await session.start()
      await session.run(2 * MINUTE)
      byHand(session).order('SELL', 'CLOSE', 'MARKET', 10)
      byHand(session).order('SELL', 'OPEN', 'MARKET', 10)
      await session.run(MINUTE)
      // 1 BTC from 100.01 to 99.99, and 0.1% of both; the same fee of 0.09999 again is the person's.
      expect(session.said('round trip closed').map(({ pnl }) => pnl)).toEqual(['-0.22 USDT'])
      const sales = session.said('fill').filter(({ side }) => side === 'sell')
      expect(sales.map(({ price, fee }) => [price, fee])).toEqual([['99.99', '0.09999 USDT']])
      expect((await session.status()).balances).toEqual({ USDT: walletOf(session) })
      expect(walletOf(session)).toBe('999.68001')
    },
  )

  it('shows the present state as the reason of a halt, and says once that it has changed', async () => {
    const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
    const reasons = () => session.said('the reason of a halt has changed').map(({ reason }) => reason)
    const shown = async () => {
      const { trading, strategies } = await session.status()
      const [strategy] = strategies
      return [trading.find(({ scope }) => scope === 'BTC/USDT')?.haltedUntilStart, strategy?.stopped?.why]
    }
    await session.start()
    await session.run(2 * MINUTE)
    byHand(session).order('BUY', 'OPEN', 'MARKET', 4)
    await session.run(MINUTE)
    expect(reasons()).toEqual([])
    byHand(session).order('BUY', 'OPEN', 'MARKET', 2)
    await session.run(MINUTE)
    const more =
      'The exchange has 16 contracts of E-BTC-USDT long, our books 10; bring them together by hand, then restart the bot.'
    expect([reasons(), await shown()]).toEqual([[more], [more, more]])
    byHand(session).order('SELL', 'CLOSE', 'MARKET', 6)
    await session.run(MINUTE)
    const over =
      'It was halted because books and account differed. They do not differ any more; restart the bot to go on.'
    expect([reasons(), await shown()]).toEqual([
      [more, over],
      [over, over],
    ])
    expect(session.said('instrument halted: nothing more is decided on it')).toHaveLength(1)
  })

  it.each([
    ['flatten', 'Closed: LONG 10 contracts of BTC/USDT.'],
    ['kill', 'Closed: LONG 10 contracts of BTC/USDT.'],
  ] as const)(
    'says what %s leaves because it belongs to somebody else, as status does',
    async (command, closed) => {
      const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
      const bot = await session.create()
      bot.start(error => session.failures.push(error))
      // The exit code is 1 where the answer is not ok.
      const isOk = async () => {
        const answer = bot.operate({ command: 'flatten' })
        await session.run(100)
        return (await answer).ok
      }
      await session.run(2 * MINUTE)
      byHand(session).order('BUY', 'OPEN', 'MARKET', 4)
      await session.run(MINUTE)
      const foreign = { symbol: 'BTC/USDT', contract: 'E-BTC-USDT', direction: 'long' }
      const said = async () => statusText(await session.status()).split('\n')[2]
      const line =
        'NOT OF THIS BOT: LONG 4 contracts of BTC/USDT (E-BTC-USDT) on the account, beside its own; flatten and kill leave that. Close it at the exchange.'
      expect(await said()).toBe(line)
      const answer = await session.operate(command)
      expect(answer).toContain(
        `${closed} NOT of this bot, and still open: LONG 4 contracts of BTC/USDT (E-BTC-USDT). Close that at the exchange.`,
      )
      await session.run(MINUTE)
      expect(accountOf(session).positions()).toEqual([
        expect.objectContaining({ direction: 'long', volume: 4 }),
      ])
      expect((await session.status()).foreign).toEqual([{ ...foreign, quantity: '4', unit: 'contracts' }])
      expect(await said()).toBe(line)
      expect(await session.operate('flatten')).toContain(
        'Nothing was held. NOT of this bot, and still open: LONG 4',
      )
      expect(await isOk()).toBe(false)
      byHand(session).order('SELL', 'CLOSE', 'MARKET', 4)
      await session.run(MINUTE)
      expect((await session.status()).foreign).toEqual([])
      expect(await isOk()).toBe(true)
    },
  )

  describe('an answer to the operator after a halt', () => {
    const HTTP_500 = { answer: { status: 500, body: 'Internal Server Error' } }
    const halt = (exchange: number, books: number) =>
      `Trading of BTC/USDT is halted until the bot is started again: The exchange has ${exchange} contracts of E-BTC-USDT long, our books ${books}; bring them together by hand, then restart the bot.`

    /** A bot that holds 10 contracts beside 4 of a person, and is halted for these. */
    async function halted(): Promise<BotSession> {
      const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
      await session.start()
      await session.run(2 * MINUTE)
      byHand(session).order('BUY', 'OPEN', 'MARKET', 4)
      // A comparison begins every 10 s.
      await session.run(MINUTE + 5000)
      return session
    }

    it('tells the difference after the closing, and that it is over once the person has closed the rest', async () => {
      const session = await halted()
      expect(await session.operate('flatten')).toBe(
        `Closed: LONG 10 contracts of BTC/USDT. NOT of this bot, and still open: LONG 4 contracts of BTC/USDT (E-BTC-USDT). Close that at the exchange. Trading of the account is active. ${halt(4, 0)}`,
      )
      byHand(session).order('SELL', 'CLOSE', 'MARKET', 4)
      expect(await session.operate('resume')).toBe(
        'Trading of the account is active, but trading of BTC/USDT is still halted until the bot is started again: It was halted because books and account differed. They do not differ any more; restart the bot to go on.',
      )
    })

    it.each(['flatten', 'kill'] as const)(
      'of %s names no contracts of others that are gone by then',
      async command => {
        const session = await halted()
        byHand(session).order('SELL', 'CLOSE', 'MARKET', 4)
        const answer = await session.operate(command)
        expect(answer).toContain('Closed: LONG 10 contracts of BTC/USDT.')
        expect(answer).not.toContain('NOT of this bot')
        expect(answer).toContain('They do not differ any more; restart the bot to go on.')
      },
    )

    it('names contracts of others that came since the latest look', async () => {
      const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
      await session.start()
      await session.run(2 * MINUTE + 1000)
      byHand(session).order('BUY', 'OPEN', 'MARKET', 4)
      expect(await session.operate('flatten')).toContain('still open: LONG 4 contracts')
    })

    it('says of which look it tells where the account cannot be read, within 10 s', async () => {
      const session = await halted()
      session.journeyOf = call => (call === 'GET /fapi/v1/account' ? HTTP_500 : undefined)
      const began = session.clock.now()
      const answer = await session.operate('flatten')
      expect(session.clock.now() - began).toBeLessThan(10_000)
      expect(answer).toMatch(
        /^Closed: LONG 10 contracts of BTC\/USDT\. NOT of this bot, and open when the account was last read, at 2024-01-01 00:1\d:\d\dZ: LONG 4 contracts of BTC\/USDT \(E-BTC-USDT\)\. A newer look has come to no verdict in time; look at the exchange what is left of it, and close that there\./,
      )
      expect(answer).toContain(
        `${halt(14, 10)} It has traded since the look that tells so; the next one tells what differs now.`,
      )
    })

    it('is given at once where the bot leaves meanwhile', async () => {
      const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
      const bot = await session.create()
      bot.start(error => session.failures.push(error))
      await session.run(2 * MINUTE)
      session.journeyOf = call => (call === 'GET /fapi/v1/account' ? HTTP_500 : undefined)
      const began = session.clock.now()
      const answered = bot.operate({ command: 'kill' }).then(({ message }) => {
        expect(message).toContain('Closed: LONG 10 contracts of BTC/USDT.')
        return session.clock.now() - began
      })
      await session.run(3000)
      await session.leave(70_000)
      expect(await answered).toBeLessThan(5000)
      expect(session.failures).toEqual([])
    })
  })

  it('sends no entry that waited for books and exchange to agree, once the contract is halted instead', async () => {
    const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
    await session.start()
    // The first of two looks that see it is before the kline that is decided on, the second after.
    await session.run(MINUTE - 5000)
    byHand(session).order('BUY', 'OPEN', 'MARKET', 4)
    await session.run(2 * MINUTE)
    expect(session.said('instrument halted: nothing more is decided on it')).toHaveLength(1)
    expect(session.said('order canceled').map(({ reason }) => reason)).toEqual([
      'It never was at the exchange: it waited for books and account to agree.',
    ])
    expect(accountOf(session).records.orders).toHaveLength(1)
  })

  it('takes over money that was moved in', async () => {
    const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(2 * MINUTE)
    session.exchange.futures.deposit(accountOf(session), 'USDT', amountOf('500'))
    await session.run(MINUTE)
    expect(session.said('balance adopted from the exchange')).toEqual([
      expect.objectContaining({ asset: 'USDT', cause: 'transfer' }),
    ])
    expect(session.said('instrument halted: nothing more is decided on it')).toEqual([])
    await expectAgreed(session)
  })

  it('halts where money is gone that no transaction explains', async () => {
    const session = futuresBot({ strategy: holder, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(2 * MINUTE)
    accountOf(session).wallet('USDT').normal = amountOf('500')
    await session.run(2 * MINUTE)
    expect(session.said('instrument halted: nothing more is decided on it')).toHaveLength(1)
    expect(session.said('balance adopted from the exchange')).toEqual([
      expect.objectContaining({ cause: 'unknown' }),
    ])
  })

  it('takes over margin that a person puts behind an isolated position', async () => {
    const session = await backedByHand()
    await session.run(2 * MINUTE)
    expect(session.said('margin adopted from the exchange')).toHaveLength(1)
    await expectAgreed(session)
  })

  it('books an isolated position that is liquidated with margin that it did not know of yet', async () => {
    const session = await backedByHand()
    const time = session.clock.now()
    session.exchange.stage({ type: 'shock', time, symbol: 'BTC/USDT', price: '80' })
    await session.run(MINUTE)
    // 1 BTC at 100.01, 10x: 10.001 of margin and the 5, all of it lost; before that 0.1% of 100.01 as a fee.
    expect(walletOf(session)).toBe('984.89899')
    expect(session.said('position liquidated')).toHaveLength(1)
    expect(session.said('instrument halted: nothing more is decided on it')).toEqual([])
    await expectAgreed(session)
  })

  it('books an entry that fills on a side that is liquidated, and goes on with what it alone opened', async () => {
    const account = { type: 'futures', leverage: 10, marginMode: 'isolated' } as const
    const session = futuresBot({ strategy: deeper, klines: flatMarket(100, 60), account })
    await session.start()
    await session.run(3 * MINUTE)
    for (const price of ['89', '85']) {
      session.exchange.stage({ type: 'shock', time: session.clock.now(), symbol: 'BTC/USDT', price })
      await session.run(1000)
    }
    await session.run(MINUTE)
    await session.run(5 * MINUTE)
    expect(session.said('position liquidated').map(({ quantity }) => quantity)).toEqual(['10'])
    // 10.001 of margin and nothing else is lost with the first; the second goes for 5 × 0.1 × (84.99 − 88), less both fees.
    expect(session.said('round trip closed').map(({ pnl }) => pnl)).toEqual([
      '-10.10101 USDT',
      '-1.569495 USDT',
    ])
    expect(session.said('instrument halted: nothing more is decided on it')).toEqual([])
    await expectAgreed(session)
  })
})
