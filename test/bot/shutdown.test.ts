import { describe, expect, it } from 'vitest'
import { statusText } from '../../src/cli/bot/bot-status-text.ts'
import { botConfigSchema } from '../../src/config/bot-config.ts'
import { Journal } from '../../src/journal/journal.ts'
import { defineStrategy, enterLong, targetPosition } from '../../src/strategy/index.ts'
import { ANSWER_LOST, REQUEST_LOST } from '../faulty-transport.ts'
import { journalPath } from '../journal/journal-session.ts'
import { flatMarket, klinesOf, MINUTE } from '../simulator/exchange-caller.ts'
import { BotSession, POLL_ORDERS_MS } from './bot-session.ts'
import { accountOf, futuresBot } from './futures/futures-bot.ts'
import { bidder, flipper, holder } from './test-strategies.ts'

const PLACE = 'POST /sapi/v2/order'

describe('Bot.leave', () => {
  it('cancels open orders at the exchange and sums up', async () => {
    const session = new BotSession({ strategy: bidder })
    await session.start()
    await session.run(90_000)
    expect(session.openIds).toHaveLength(1)
    const summary = await session.leave(1)
    expect(session.openIds).toEqual([])
    expect(summary).toEqual({
      complete: true,
      klines: 1,
      signals: 1,
      denials: 0,
      orders: 1,
      rejections: 0,
      fills: 0,
      roundTrips: 0,
      tradingChanges: 0,
      trading: { account: 'active' },
      position: { 'BTC/USDT': '0' },
      held: [],
      profit: { USDT: '0' },
      realised: {},
      open: { USDT: '0' },
      moved: { USDT: '0' },
      other: { USDT: '0' },
      fees: {},
      funding: {},
      equity: { USDT: '10000' },
      balances: expect.objectContaining({ USDT: '10000', BTC: '0' }),
      stopped: [],
      leftBehind: 'Nothing of this bot is held. No order of this bot rests at the exchange.',
    })
  })

  it('tells exactly what it still holds', async () => {
    const session = new BotSession({ strategy: flipper })
    await session.start()
    await session.run(3 * MINUTE + 2000)
    const summary = await session.leave(1)
    // Bought 1 at 100.01, fee 0.001 BTC; sold 0.999 at 99.99, fee 0.1%; bought 1 again.
    expect(summary).toMatchObject({ klines: 3, signals: 3, orders: 3, fills: 3, roundTrips: 1 })
    expect(summary?.balances).toMatchObject({ USDT: '9899.77011999', BTC: '0.999' })
    expect(summary?.position).toEqual({ 'BTC/USDT': '0.99900' })
    // 0.999 at 99.99 for 99.89001, less 99.91 that they cost, and 0.10001 and 0.09989001 of fees.
    expect(summary?.realised).toEqual({ USDT: '-0.21988001' })
    expect(summary?.fees).toEqual({ BTC: '0.002', USDT: '0.09989001' })
    // 9899.77011999 and 0.999 at 100.
    expect(summary?.equity).toEqual({ USDT: '9999.67011999' })
    expect(summary?.profit).toEqual({ USDT: '-0.32988001' })
  })

  it('closes as well what an order fills that was still on its way then', async () => {
    const session = new BotSession({
      strategy: defineStrategy({ name: 'late', onKline: () => undefined, onStop: () => enterLong() }),
      execution: { onStop: 'flatten' },
    })
    await session.start()
    await session.run(90_000)
    const summary = await session.leave(10_000)
    expect(summary).toMatchObject({ orders: 2, fills: 2, roundTrips: 1, position: { 'BTC/USDT': '0' } })
  })

  it('closes as well an entry that fills exactly as much as it closes', async () => {
    const session = futuresBot({
      klines: flatMarket(100, 60),
      strategy: defineStrategy({
        name: 'again',
        onKline: () => targetPosition({ base: 1 }),
        onStop: () => targetPosition({ base: 2 }),
      }),
      execution: { onStop: 'flatten' },
    })
    await session.start()
    await session.run(90_000)
    expect(await session.leave(10_000)).toMatchObject({ fills: 4, held: [] })
    expect(accountOf(session).positions()).toEqual([])
  })

  it('closes what it holds although it is halted', async () => {
    const session = new BotSession({ strategy: flipper, execution: { onStop: 'flatten' } })
    await session.start()
    await session.run(90_000)
    await session.operate('halt')
    const summary = await session.leave(10_000)
    expect(summary).toMatchObject({ fills: 2, roundTrips: 1, position: { 'BTC/USDT': '0' } })
  })

  it('sends a closing that the exchange refuses again, after pauses of 2, 4 and 8 s, until it is closed', async () => {
    let refusedUntil = 0
    const body = JSON.stringify({ code: -2016, msg: 'Trading is frozen.' })
    const session: BotSession = new BotSession({
      strategy: flipper,
      execution: { onStop: 'flatten' },
      host: exchange => request =>
        request.url.endsWith('/order') && request.method === 'POST' && session.clock.now() < refusedUntil
          ? Promise.resolve({ status: 200, body })
          : exchange(request),
    })
    await session.start()
    await session.run(90_000)
    const from = session.clock.now()
    refusedUntil = from + 10_000
    const summary = await session.leave(30_000)
    // A look a second after the refusal begins the first pause.
    const seconds = session.said('order rejected').map(({ at }) => (Date.parse(String(at)) - from) / 1000)
    expect(seconds).toEqual([0, 3, 7])
    expect(summary).toMatchObject({ fills: 2, roundTrips: 1, position: { 'BTC/USDT': '0' } })
  })

  it('does not wait for a remainder below the smallest order, which nothing can close', async () => {
    const prices = Array.from({ length: 60 }, (_, minute) => (minute < 12 ? 100 : 80))
    const session = new BotSession({
      strategy: holder,
      size: { base: 0.11 },
      klines: klinesOf(...prices.map(price => [price, price, price, price] as const)),
      execution: { onStop: 'flatten' },
    })
    await session.start()
    await session.run(4 * MINUTE)
    // It would wait for 60 s. 0.10989 at 80 are worth 8.79.
    const summary = await session.leave(5000)
    expect(summary).toMatchObject({ complete: false, position: { 'BTC/USDT': '0.10989' } })
    expect(summary?.leftBehind).toContain('Still held: long 0.10989 BTC of BTC/USDT.')
    expect(session.said('order denied').map(({ rule }) => rule)).toEqual(['minimumNotional'])
  })

  it('says what it could not close and why, is not complete, and that the next start goes on with it', async () => {
    const journal = new Journal(journalPath())
    const session: BotSession = new BotSession({
      strategy: holder,
      journal,
      execution: { onStop: 'flatten' },
      host: exchange => request =>
        request.url.endsWith('/order') && request.method === 'POST' && isLeaving
          ? Promise.resolve({ status: 200, body: '{"code":-2016,"msg":"Trading is frozen."}' })
          : exchange(request),
    })
    let isLeaving = false
    await session.start()
    await session.run(90_000)
    isLeaving = true
    const summary = await session.leave(61_000)
    expect(summary).toMatchObject({ complete: false, position: { 'BTC/USDT': '0.99900' } })
    expect(summary?.leftBehind).toBe(
      'Still held: long 0.99900 BTC of BTC/USDT. No order of this bot rests at the exchange. The closing of BTC/USDT was not done; the next start goes on with it.',
    )
    expect(session.said('left with unconfirmed orders')).toEqual([])
    expect(session.said('positions were not closed before the end')).toEqual([
      expect.objectContaining({
        held: 'long 0.99900 BTC of BTC/USDT',
        why: expect.stringContaining('-2016'),
      }),
    ])
    await session.start()
    const closing = async () =>
      statusText(await session.status())
        .split('\n')
        .filter(line => line.startsWith('CLOSING'))
    expect(await closing()).toEqual([
      'CLOSING: what is held of BTC/USDT is being closed. The bot was stopped, and execution.onStop: flatten closes what is held.',
    ])
    await session.operate('flatten', { reason: 'enough' })
    expect(await closing()).toEqual([
      'CLOSING: what is held of BTC/USDT is being closed. The operator closes what is held: enough.',
    ])
    isLeaving = false
    expect(session.said('a closing goes on')).toEqual([
      expect.objectContaining({ held: 'long 0.99900 BTC of BTC/USDT' }),
    ])
    await session.run(30_000)
    expect(await closing()).toEqual([])
    expect(await session.leave(1)).toMatchObject({ complete: true, position: { 'BTC/USDT': '0' } })
    journal.close()
  })

  it('closes in a second order what the first one without an answer did not, in the time that it has by default', async () => {
    const session: BotSession = new BotSession({ strategy: holder, execution: { onStop: 'flatten' } })
    await session.start()
    await session.run(90_000)
    let lost = 0
    session.journeyOf = call => (call === PLACE && lost++ === 0 ? REQUEST_LOST : undefined)
    const entry = { file: 'strategies/sma-cross.ts', symbol: 'BTC/USDT', interval: '1m', size: { base: 1 } }
    const { stopWithinMs } = botConfigSchema.parse({ strategies: [entry] }).execution
    expect(await session.leave(stopWithinMs)).toMatchObject({ complete: true, position: { 'BTC/USDT': '0' } })
    expect(session.user.history.orders).toHaveLength(2)
  })

  it.each([8, 9, 10, 12])(
    'sends no closing in the last three of %i s, so that it reads the answer to each',
    async seconds => {
      const sent: number[] = []
      const session: BotSession = new BotSession({
        strategy: flipper,
        execution: { onStop: 'flatten', stopWithinMs: seconds * 1000 },
        host: exchange => request => {
          if (request.url.endsWith('/order') && request.method === 'POST' && isLeaving) {
            sent.push(session.clock.now())
            return Promise.resolve({ status: 200, body: '{"code":-2016,"msg":"Trading is frozen."}' })
          }
          return exchange(request)
        },
      })
      let isLeaving = false
      await session.start()
      await session.run(90_000)
      session.journeyOf = call => (call === PLACE ? { thereMs: 300, backMs: 300 } : undefined)
      isLeaving = true
      const deadline = session.clock.now() + seconds * 1000
      expect(await session.leave((seconds + 1) * 1000)).toBeDefined()
      expect(sent.length).toBeGreaterThan(1)
      expect(deadline - Math.max(...sent)).toBeGreaterThanOrEqual(2700)
      expect(session.said('order rejected')).toHaveLength(sent.length)
    },
  )

  it('waits for an order whose placement is still on its way, and cancels it', async () => {
    const session = new BotSession({ strategy: bidder })
    await session.start()
    session.journeyOf = call => (call === PLACE ? { thereMs: 1500 } : undefined)
    await session.run(MINUTE + 600)
    const summary = await session.leave(10_000)
    expect(summary).toMatchObject({ orders: 1 })
    expect(session.user.history.openCount).toBe(0)
    expect(session.said('order canceled')).toHaveLength(1)
  })

  it('finds and cancels an order of which it does not know whether it arrived', async () => {
    const session = new BotSession({ strategy: bidder })
    await session.start()
    session.journeyOf = call => (call === PLACE ? ANSWER_LOST : undefined)
    await session.run(MINUTE + 600)
    expect(await session.leave(10_000)).toBeDefined()
    expect(session.user.history.openCount).toBe(0)
  })

  it('says nothing after its summary of a look that was under way', async () => {
    const session = new BotSession({ strategy: bidder, execution: { onStop: 'keep' } })
    await session.start()
    await session.run(MINUTE + 600)
    session.journeyOf = call => (call.startsWith('GET ') ? ANSWER_LOST : undefined)
    await session.run(2 * POLL_ORDERS_MS)
    expect(await session.leave(1)).toBeDefined()
    const before = session.said('a call to the exchange failed').length
    await session.run(MINUTE)
    expect(session.said('a call to the exchange failed')).toHaveLength(before)
  })

  it('places nothing any more, whatever its strategy makes of a cancel', async () => {
    const strategy = defineStrategy({
      name: 'stubborn',
      onKline: () => enterLong({ order: { type: 'limit', price: 90 } }),
      onOrder: ({ status }) =>
        status === 'canceled' ? enterLong({ order: { type: 'limit', price: 90 } }) : undefined,
    })
    const session = new BotSession({ strategy })
    await session.start()
    await session.run(90_000)
    expect(session.openIds).toHaveLength(1)
    expect(await session.leave(60_000)).toMatchObject({ orders: 1 })
    expect(session.openIds).toEqual([])
  })

  it('gives up within its bound, and says so, where the exchange cannot be reached', async () => {
    const session = new BotSession({ strategy: bidder })
    await session.start()
    await session.run(90_000)
    session.journeyOf = () => ({ refused: true })
    // At most 50 looks a second apart, each with two pauses of a read that is tried three times.
    const summary = await session.leave(50 * (POLL_ORDERS_MS + 750) + 750)
    expect(summary).toBeDefined()
    expect(session.said('left with unconfirmed orders')).toEqual([expect.objectContaining({ orders: 1 })])
  })

  it('reads nothing any more afterwards', async () => {
    const session = new BotSession({ strategy: bidder })
    await session.start()
    await session.run(90_000)
    await session.leave(1)
    let calls = 0
    session.journeyOf = () => {
      calls++
      return undefined
    }
    await session.run(10 * MINUTE)
    expect(calls).toBe(0)
  })
})
