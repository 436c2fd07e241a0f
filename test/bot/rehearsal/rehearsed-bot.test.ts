import { describe, expect, it, vi } from 'vitest'
import type { Accounts } from '../../../src/bot/config/account-fields.ts'
import { RehearsedBot } from '../../../src/bot/rehearsal/rehearsed-bot.ts'

const SPOT = { spot: {} }
const MARGIN = { margin: { balances: new Map(), foreignTrades: 'halt' } } as const
const FUTURES = { futures: { leverage: 5, marginMode: 'isolated', positionMode: 'twoWay' } } as const
const ORDER_PATHS = ['/sapi/v2/order', '/sapi/v2/margin/order', '/fapi/v1/order']

/** A bot, and which orders its exchange has taken since the last time it was asked. */
async function rehearsedBot(accounts: Accounts) {
  const bot = await RehearsedBot.create(accounts)
  const handle = vi.spyOn(bot.exchange, 'handle')
  const takeOrders = () => {
    const taken = handle.mock.calls.flatMap(([{ method, target, body }], call) => {
      if (method !== 'POST' || !ORDER_PATHS.includes(target)) return []
      const { status, body: answer } = handle.mock.results[call]?.value ?? {}
      expect([status, JSON.parse(answer)]).toEqual([
        200,
        expect.objectContaining({ orderId: expect.anything() }),
      ])
      return [`${target} ${JSON.parse(body).side}`]
    })
    handle.mockClear()
    return taken.sort()
  }
  return { bot, takeOrders }
}

describe('RehearsedBot', () => {
  it.each([
    { accounts: SPOT, paths: ['/sapi/v2/order'] },
    { accounts: MARGIN, paths: ['/sapi/v2/margin/order'] },
    { accounts: FUTURES, paths: ['/fapi/v1/order'] },
    {
      accounts: { ...SPOT, ...MARGIN, ...FUTURES },
      paths: ['/fapi/v1/order', '/sapi/v2/margin/order', '/sapi/v2/order'],
    },
  ])(
    'enters at one close and leaves at the next, with an order each on $paths',
    async ({ accounts, paths }) => {
      const { bot, takeOrders } = await rehearsedBot(accounts)
      for (let close = 0; close < 20; close++) {
        await bot.comeToClose()
        expect(takeOrders()).toEqual([])
        await bot.playClose()
        const side = close % 2 === 0 ? 'BUY' : 'SELL'
        expect(takeOrders()).toEqual(paths.map(path => `${path} ${side}`))
      }
    },
  )

  it('says so when it trades no more', async () => {
    const { bot } = await rehearsedBot(SPOT)
    await bot.comeToClose()
    vi.spyOn(bot.exchange, 'handle').mockReturnValue({
      status: 401,
      body: JSON.stringify({ code: -2015, msg: 'no such key' }),
    })
    await expect(bot.playClose()).rejects.toThrow('no such key')
  })

  it('still trades after many closes', async () => {
    const { bot, takeOrders } = await rehearsedBot({ ...SPOT, ...MARGIN, ...FUTURES })
    for (let close = 0; close < 100; close++) {
      await bot.comeToClose()
      await bot.playClose()
      expect(takeOrders()).toHaveLength(3)
    }
  })
})
