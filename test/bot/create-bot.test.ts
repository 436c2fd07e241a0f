import { describe, expect, it } from 'vitest'
import { clientOrderIdOf, clientOrderIdPrefix } from '../../src/domain/orders/client-order-id.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { Journal } from '../../src/journal/journal.ts'
import { defineStrategy, sma } from '../../src/strategy/index.ts'
import { rejectionOf } from '../exchange/call/scripted-exchange.ts'
import { journalPath } from '../journal/journal-session.ts'
import { START } from '../simulator/exchange-caller.ts'
import { BOT, BotSession } from './bot-session.ts'

const idle = defineStrategy({ name: 'idle' })
const idOf = (bot: string, strategy: string, book: string, ordinal: number) =>
  clientOrderIdOf(clientOrderIdPrefix({ bot, strategy, book }), START, ordinal)

describe('createBot', () => {
  it('cancels what an earlier run left open, and leaves the orders of everybody else alone', async () => {
    const session = new BotSession({ strategy: idle })
    const own = [idOf(BOT, 'idle', 'BTC/USDT', 0), idOf(BOT, 'idle', 'BTC/USDT', 1)]
    const foreign = [
      idOf('other bot', 'idle', 'BTC/USDT', 0),
      idOf(BOT, 'other strategy', 'BTC/USDT', 0),
      idOf(BOT, 'idle', 'ETH/USDT', 0),
      'placed-by-hand',
    ]
    for (const clientOrderId of [...own, ...foreign]) {
      const order = { symbol: 'BTC/USDT', type: 'limit', side: 'buy', quantity: '1', price: '50' } as const
      await session.client.spot.placeOrder({ ...order, clientOrderId })
    }
    await session.client.spot.placeOrder({
      symbol: 'BTC/USDT',
      type: 'limit',
      side: 'buy',
      quantity: '1',
      price: '50',
    })
    await session.create()
    expect(session.openIds).toEqual([...foreign, undefined])
    const said = session.said('leftover order canceled')
    expect(said.map(({ clientOrderId }) => clientOrderId)).toEqual(own)
  })

  it('starts although a leftover ended before it could be canceled', async () => {
    const session = new BotSession({ strategy: idle })
    const clientOrderId = idOf(BOT, 'idle', 'BTC/USDT', 0)
    const order = { symbol: 'BTC/USDT', type: 'limit', side: 'buy', quantity: '1', price: '50' } as const
    await session.client.spot.placeOrder({ ...order, clientOrderId })
    const answer = { status: 400, body: '{"code":-1145,"msg":"This order cannot be canceled."}' }
    session.journeyOf = call => (call === 'POST /sapi/v2/cancel' ? { answer } : undefined)
    await session.create()
    expect(session.said('leftover order canceled')).toHaveLength(1)
  })

  it('refuses a symbol that the exchange does not list, and names the nearest that it does', async () => {
    const session = new BotSession({ strategy: idle, symbol: 'BTC/USDC' })
    const error = await rejectionOf(session.create())
    expect(error).toBeInstanceOf(UsageError)
    expect(error).toMatchObject({
      message: 'The exchange does not list BTC/USDC. Did you mean "BTC/USDT"?',
    })
  })

  it('sees the history that its strategy needs, and decides from the next kline on', async () => {
    const seen: number[] = []
    const strategy = defineStrategy({
      name: 'averaging',
      indicators: () => ({ average: sma(8) }),
      onKline: (kline, { indicators }) => {
        seen.push(kline.openTime, indicators.average.value)
        return undefined
      },
    })
    const session = new BotSession({ strategy })
    await session.start()
    expect(session.said('warmed up')).toEqual([expect.objectContaining({ klines: 8, needed: 8 })])
    await session.run(60_500)
    expect(seen).toEqual([START + 10 * 60_000, 100])
  })

  it('says at a restart how much closed meanwhile, on which nothing is decided', async () => {
    const decided: number[] = []
    const strategy = defineStrategy({
      name: 'averaging',
      indicators: () => ({ average: sma(8) }),
      onKline: ({ openTime }) => void decided.push((openTime - START) / 60_000),
    })
    const journal = new Journal(journalPath())
    const session = new BotSession({ strategy, journal })
    await session.start()
    await session.run(60_500)
    await session.leave(3 * 60_000)
    await session.start()
    const lines = session.said('warmed up')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatchObject({ klines: 3 })
    expect(lines[1]).not.toHaveProperty('needed')
    await session.run(60_500)
    // Minutes 11 to 13 closed while it was down.
    expect(decided).toEqual([10, 14])
    await session.leave(0)
    journal.close()
  })

  it('cannot become ready where the account refuses the key', async () => {
    const session = new BotSession({ strategy: idle })
    const answer = { status: 401, body: '{"code":-2015,"msg":"Invalid API key."}' }
    session.journeyOf = call => (call === 'GET /sapi/v1/account' ? { answer } : undefined)
    await expect(session.create()).rejects.toMatchObject({ exchangeCode: -2015, reaction: 'halt' })
  })
})
