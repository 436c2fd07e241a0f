import { describe, expect, it } from 'vitest'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { defineStrategy, enterLong } from '../../src/strategy/index.ts'
import { ANSWER_LOST, REQUEST_LOST } from '../faulty-transport.ts'
import { klinesOf, MINUTE } from '../simulator/exchange-caller.ts'
import { BotSession } from './bot-session.ts'
import { bidder, flipper } from './test-strategies.ts'

const PLACE = 'POST /sapi/v2/order'
const QUERY = 'GET /sapi/v2/order'
const CANCEL = 'POST /sapi/v2/cancel'
const ACCOUNT = 'GET /sapi/v1/account'
const KLINES = 'GET /sapi/v2/klines'
const REFUSED_KEY = {
  answer: { status: 401, body: '{"code":-2015,"msg":"Invalid API key, IP, or permissions."}' },
}
const EMPTY_BOOK = { answer: { status: 400, body: '{"code":-1112,"msg":"No orders on book for symbol."}' } }
const REJECTED = { answer: { status: 400, body: '{"code":-2017,"msg":"Insufficient balance."}' } }

describe('a running bot', () => {
  it('reports a balance that was changed from outside, once, and takes it over', async () => {
    const session = new BotSession({ strategy: bidder })
    await session.create().then(bot => bot.start(error => session.failures.push(error)))
    session.user.account.deposit('USDT', amountOf('500.5'))
    await session.run(50_000)
    expect(session.said('balance adopted from the exchange')).toEqual([
      expect.objectContaining({ asset: 'USDT', exchange: '10500.5', ledger: '10000' }),
    ])
    expect(await session.leave(1)).toMatchObject({ balances: { USDT: '10500.5' } })
  })

  it('has an order on its way before anything is written about what led to it', async () => {
    const session = new BotSession({ strategy: flipper })
    await session.start()
    const written: string[] = []
    session.journeyOf = call => {
      if (call === PLACE) written.push(session.lines.slice(before).join(''))
      return undefined
    }
    const before = session.lines.length
    await session.run(2 * MINUTE)
    expect(session.said('signal').length).toBeGreaterThan(0)
    expect(written[0]).not.toMatch(/"msg":"(?:kline|signal)"/)
  })

  it('finds that its own trading explains every balance', async () => {
    const session = new BotSession({ strategy: flipper })
    await session.start()
    await session.run(20 * MINUTE)
    expect(session.said('fill').length).toBeGreaterThan(15)
    expect(session.said('balance adopted from the exchange')).toEqual([])
  })

  it('does not take over balances that an order overtook while they were read', async () => {
    const session = new BotSession({ strategy: flipper })
    await session.start()
    // Read at the end of a minute, back 1.5 s later: the order of that minute fills in between.
    session.journeyOf = call => (call === ACCOUNT ? { backMs: 1500 } : undefined)
    await session.run(5 * MINUTE)
    expect(session.said('fill').length).toBeGreaterThan(3)
    expect(session.said('balance adopted from the exchange')).toEqual([])
  })

  it('does not take over balances while an order lives whose fills it may not know yet', async () => {
    const flat = [100, 100, 100, 100] as const
    const klines = klinesOf(...Array.from({ length: 12 }, () => flat), [100, 100, 80, 80], [80, 80, 80, 80])
    const session = new BotSession({ strategy: bidder, klines })
    await session.start()
    await session.run(2 * MINUTE)
    session.journeyOf = call => (call === QUERY ? { refused: true } : undefined)
    await session.run(MINUTE - 5000)
    expect(session.user.history.openCount).toBe(0)
    session.journeyOf = () => undefined
    await session.run(4000)
    expect(session.said('fill')).toHaveLength(1)
    expect(session.said('balance adopted from the exchange')).toEqual([])
  })

  it.each([
    ['its balances', ACCOUNT],
    ['its placements', PLACE],
  ])(
    'halts when the exchange refuses the key for %s: it reports that once and decides nothing more',
    async (_name, refused) => {
      const session = new BotSession({ strategy: flipper })
      await session.start()
      await session.run(MINUTE + 2000)
      const signals = session.said('signal').length
      expect(signals).toBe(1)
      session.journeyOf = call => (call === refused ? REFUSED_KEY : undefined)
      await session.run(10 * MINUTE)
      expect(session.failures).toEqual([expect.objectContaining({ exchangeCode: -2015 })])
      const after = refused === PLACE ? 1 : 0
      expect(session.said('signal')).toHaveLength(signals + after)
      expect(session.said('trading halted').length).toBeGreaterThan(0)
    },
  )

  it('trades on after network errors of its reads, and says them', async () => {
    const session = new BotSession({ strategy: flipper })
    await session.start()
    session.journeyOf = (_call, { method }) => (method === 'GET' ? { refused: true } : undefined)
    await session.run(3 * MINUTE)
    expect(session.said('signal')).toEqual([])
    session.journeyOf = () => undefined
    await session.run(3 * MINUTE)
    expect(session.failures).toEqual([])
    expect(session.said('signal').length).toBeGreaterThan(3)
    const failed = session.said('a call to the exchange failed').map(({ what }) => what)
    // Each once, with its equal reason.
    expect(failed.toSorted()).toEqual([
      '1m klines of BTC/USDT',
      'reconciliation',
      'spot symbols',
      'ticker of BTC/USDT',
    ])
    const tickers = (message: string) =>
      session.said(message).filter(({ what }) => what === 'ticker of BTC/USDT')
    // After 60 and 120 s of the 180.
    const counted = tickers('a call to the exchange failed again').map(({ times }) => Number(times))
    expect(counted).toHaveLength(3)
    expect(counted.toSorted((one, other) => one - other)).toEqual(counted)
    const again = tickers('a call to the exchange failed no more')
    expect(again).toEqual([expect.objectContaining({ times: counted.at(-1), quietMs: expect.any(Number) })])
  })

  it('counts no order that found an empty book as a failed call: its rejection says it', async () => {
    const session = new BotSession({ strategy: flipper })
    await session.start()
    session.journeyOf = call => (call === PLACE ? EMPTY_BOOK : undefined)
    await session.run(2 * MINUTE)
    expect(session.said('order rejected')).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('-1112') }),
    ])
    expect(session.said('a call to the exchange failed')).toEqual([])
    expect((await session.status()).line.failedCalls).toBe(0)
  })

  it('trades on after a rejection', async () => {
    const session = new BotSession({ strategy: flipper })
    await session.start()
    session.journeyOf = call => (call === PLACE ? REJECTED : undefined)
    await session.run(2 * MINUTE)
    session.journeyOf = () => undefined
    await session.run(2 * MINUTE)
    expect(session.said('order rejected')).toHaveLength(1)
    expect(session.failures).toEqual([])
    expect(session.said('fill').length).toBeGreaterThan(0)
  })

  it('sends the stop-loss when its price has come, even if the answer to it is lost', async () => {
    const strategy = defineStrategy({
      name: 'protected',
      state: () => ({ entered: false }),
      onKline: (_kline, { state }) => {
        if (state.entered) return undefined
        state.entered = true
        return enterLong({ stopLoss: 95 })
      },
    })
    const flat = [100, 100, 100, 100] as const
    const klines = klinesOf(...Array.from({ length: 12 }, () => flat), [100, 100, 94, 94], flat, flat)
    const session = new BotSession({ strategy, klines })
    await session.start()
    await session.run(MINUTE + 5000)
    session.journeyOf = call => (call === PLACE ? ANSWER_LOST : undefined)
    await session.run(3 * MINUTE)
    expect(session.failures).toEqual([])
    expect(session.said('round trip closed')).toEqual([expect.objectContaining({ exitReason: 'stopLoss' })])
  })

  it('decides on each kline once, late or not', async () => {
    const seen: number[] = []
    const strategy = defineStrategy({
      name: 'watcher',
      onKline: ({ openTime }) => {
        seen.push(openTime)
        return undefined
      },
    })
    const session = new BotSession({ strategy })
    await session.start()
    const from = session.clock.now()
    let reads = 0
    session.journeyOf = call => (call === KLINES && reads++ % 3 === 1 ? REQUEST_LOST : undefined)
    await session.run(20 * MINUTE + 30_000)
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => from + index * MINUTE))
  })

  it('has no order canceled that nobody wanted gone', async () => {
    const session = new BotSession({ strategy: bidder })
    let cancels = 0
    session.journeyOf = call => {
      if (call === CANCEL) cancels++
      return undefined
    }
    await session.start()
    await session.run(20 * MINUTE)
    expect(cancels).toBe(0)
    expect(session.openIds).toHaveLength(1)
  })
})
