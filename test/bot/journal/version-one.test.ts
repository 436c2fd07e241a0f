import { expect, it } from 'vitest'
import { Journal } from '../../../src/journal/journal.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { versionOneJournal } from '../../journal/version-one.ts'
import { ExchangeCaller, flatMarket, klinesOf, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from '../bot-session.ts'

/** The strategy whose bot wrote the journal: a round trip, then a position with a stop-loss at 90 and an exit that rests at 110. */
const holder = defineStrategy({
  name: 'holder',
  onKline: ({ openTime }, { position }) => {
    const minute = (openTime - START) / MINUTE
    if (minute === 10 || minute === 12) return enterLong({ stopLoss: 90 })
    if (minute === 11) return exit()
    if (minute === 13 && position.direction === 'long') return exit({ order: { type: 'limit', price: 110 } })
    return undefined
  },
})

/** What the bot ordered in its first life, the last of which rested when it was killed. */
const ORDERED = [
  ['BUY', '1', '101', '2o6fbm2vqhdvz-lqu607xc-0'],
  ['SELL', '0.999', '99', '2o6fbm2vqhdvz-lqu61i80-0'],
  ['BUY', '1', '101', '2o6fbm2vqhdvz-lqu62sio-0'],
  ['SELL', '0.999', '110', '2o6fbm2vqhdvz-lqu642tc-0'],
] as const
const RESTING = '2o6fbm2vqhdvz-lqu642tc-0'

it('a bot goes on from a journal of version 1 with its position, its stop and its resting exit, and sends none again', async () => {
  const journal = new Journal(versionOneJournal())
  // Twenty-four minutes at 100, then one that falls to 85, five below the stop.
  const klines = [
    ...flatMarket(100, 24),
    ...klinesOf([100, 100, 85, 85]).map(kline => ({ ...kline, openTime: START + 24 * MINUTE })),
    ...flatMarket(85, 20).map(kline => ({ ...kline, openTime: kline.openTime + 25 * MINUTE })),
  ]
  const session = new BotSession({ strategy: holder, journal, klines })
  const caller = new ExchangeCaller(session.exchange, { apiKey: KEY, apiSecret: SECRET })
  await session.run(5 * MINUTE)
  caller.now = session.clock.now()
  for (const [side, quantity, price, newClientOrderId] of ORDERED)
    caller.order(side, 'LIMIT', quantity, price, { newClientOrderId })
  expect(session.openIds).toEqual([RESTING])

  await session.start()
  await session.run(2 * MINUTE)
  const status = await session.status()
  expect([session.failures, status.positions, status.comparison]).toEqual([
    [],
    { 'BTC/USDT': '0.99900' },
    'agreed',
  ])
  expect(status.held).toMatchObject([{ direction: 'long', base: '0.999', entryPrice: '100.01' }])
  expect([status.trading.filter(({ mode }) => mode !== 'active'), status.unprotected]).toEqual([[], []])
  const orders = status.orders.map(({ purpose, prices, clientOrderId }) => [
    purpose,
    prices[0],
    clientOrderId,
  ])
  expect(orders).toEqual([
    ['exit', 110, RESTING],
    ['stopLoss', 90, expect.any(String)],
  ])
  expect(session.openIds).toEqual([RESTING])
  // Nothing moved in or out, and no order left.
  expect(session.said('balance adopted from the exchange')).toEqual([])
  expect(session.user.history.orders).toHaveLength(ORDERED.length)

  await session.leave(MINUTE)
  await session.start()
  await session.run(8 * MINUTE)
  const after = await session.status()
  expect([session.failures, after.held, after.orders]).toEqual([[], [], []])
  expect(session.said('round trip closed')).toMatchObject([{ entryPrice: '100.01', exitReason: 'stopLoss' }])
  journal.close()
})
