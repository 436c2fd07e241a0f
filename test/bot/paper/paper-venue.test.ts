import { copyFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSession } from '../../../src/bot/paper/read-session.ts'
import { sessionResult } from '../../../src/bot/paper/session-result.ts'
import type { Venue } from '../../../src/bot/venue/venue.ts'
import { PaperWorld } from './paper-world.ts'

async function opened(host?: ConstructorParameters<typeof PaperWorld>[0]) {
  const world = new PaperWorld(host)
  await world.listen()
  world.book(
    [['99', '5']],
    [
      ['100', '2'],
      ['101', '9'],
    ],
  )
  return world
}

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', quantity: '3', price: '99' } as const

/** Own trades as `quantity@price`, oldest first. */
async function tradesOn(world: PaperWorld, venue: Venue) {
  const trades = await world.until(venue.spot.myTrades({ symbol: 'BTC/USDT' }))
  return trades.map(({ price, quantity }) => `${quantity}@${price}`)
}

test('orders trade on what the host shows, and the host sees public reads only', async () => {
  const world = await opened()
  const venue = await world.open()
  await world.until(venue.spot.placeOrder({ ...ORDER, type: 'ioc', price: '105' }))
  await world.pass(1500)
  // 2 at 100 and 1 at 101: what is shown.
  expect(await tradesOn(world, venue)).toEqual(['2@100', '1@101'])
  await world.close(venue)
  expect(new Set(world.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  const paths = new Set(world.requests.map(({ target }) => target.split('?')[0]))
  expect([...paths].filter(path => !/\/(time|symbols|depth|trades|ticker|klines)$/.test(path ?? ''))).toEqual(
    [],
  )
  expect(
    world.requests.filter(({ headers }) => Object.keys(headers).some(name => name.startsWith('x-ch'))),
  ).toEqual([])
  expect(world.report()).toMatchObject({
    isReproduced: true,
    queues: [{ fills: 2, byRule: { walked: 2 }, observedShare: 1 }, {}, {}],
  })
})

test('a resting order waits behind the shown quantity for trades of the host, and the record says why', async () => {
  const world = await opened()
  const venue = await world.open()
  await world.until(venue.spot.placeOrder(ORDER))
  await world.pass(1000)
  world.trade('sell', '99', '4')
  await world.pass(500)
  expect(await tradesOn(world, venue)).toEqual([])
  world.trade('sell', '99', '2')
  await world.pass(500)
  // 5 were ahead: 4 + 1 went to them, 1 is ours.
  expect(await tradesOn(world, venue)).toEqual(['1@99'])
  world.book([['90', '5']], [['101', '5']])
  await world.pass(1500)
  await world.close(venue)
  expect(world.rows('fill')).toMatchObject([
    {
      ...{ price: '99.00', quantity: '1.00000', liquidity: 'maker' },
      evidence: { rule: 'queued', assumption: 'shown', queueBefore: 100_000, queueAfter: 0, tradeIds: ['2'] },
    },
  ])
  // front: all 3 of the first trade. back: the 5 that are always shown are ahead of each trade.
  // 3 bought at 99 for 297, less a fee of 0.1% of them, are 2.997 × 90 = 269.73 at the last bid.
  expect(world.report()).toEqual({
    ...{ queue: 'shown', isReproduced: true, difference: undefined },
    queues: [
      {
        queue: 'front',
        fills: 1,
        byRule: { queued: 1 },
        observedShare: 0,
        results: { 'BTC/USDT': '-27.27' },
      },
      {
        queue: 'shown',
        fills: 1,
        byRule: { queued: 1 },
        observedShare: 0,
        results: { 'BTC/USDT': '-9.09' },
      },
      { queue: 'back', fills: 0, byRule: {}, observedShare: Number.NaN, results: { 'BTC/USDT': '0' } },
    ],
  })
})

test('account, orders and queue outlive the process; the time away is judged by the minutes of the host', async () => {
  const world = await opened()
  const journal = { path: join(world.folder, 'journal'), time: undefined }
  const first = await world.open(world.config(), journal)
  await world.until(first.spot.placeOrder({ ...ORDER, quantity: '5' }))
  await world.pass(1000)
  world.trade('sell', '99', '6')
  await world.pass(500)
  expect(await tradesOn(world, first)).toEqual(['1@99'])
  await world.until(first.close())
  // Away for almost three minutes, of which the last went to 98 with a volume of 3.
  const minute = (index: number, low: number, vol: number) => ({
    ...{ idx: 1_704_067_200_000 + index * 60_000, open: 99.5, high: 100, low, close: 99.5, vol },
  })
  world.klines = [minute(0, 90, 50), minute(1, 99, 50), minute(2, 98, 3)]
  await world.pass(175_000, 25_000)
  const second = await world.open(world.config(), { ...journal, time: undefined })
  expect(await tradesOn(world, second)).toEqual(['1@99'])
  await world.pass(8000, 1000)
  // The first minute began before the order rested; 98 is below 99, 99 is only touched: 3 of the 4 that are left.
  expect(await tradesOn(world, second)).toEqual(['1@99', '3@99'])
  expect(world.rows('fill').at(-1)?.evidence).toMatchObject({
    rule: 'gapMinute',
    gap: 'The bot was not running.',
  })
  const [open] = await world.until(second.spot.openOrders({ symbol: 'BTC/USDT' }))
  expect(String(open?.executedQuantity)).toBe('4')
  await world.close(second)
  expect(world.report()).toMatchObject({ queue: 'shown', isReproduced: true })
})

test('a bid and an ask share the volume of a minute away, which exists once', async () => {
  const world = await opened()
  const config = world.config({ balances: { USDT: 10_000, BTC: 100 } })
  const journal = { path: join(world.folder, 'journal'), time: undefined }
  const first = await world.open(config, journal)
  await world.until(first.spot.placeOrder({ ...ORDER, quantity: '2', price: '98' }))
  await world.until(first.spot.placeOrder({ ...ORDER, side: 'sell', quantity: '35', price: '103' }))
  await world.pass(1000)
  await world.until(first.close())
  const idx = 1_704_067_260_000
  world.klines = [{ idx, open: 101, high: 104, low: 97, close: 100, vol: 8.4 }]
  await world.pass(175_000, 25_000)
  const second = await world.open(config, { ...journal, time: undefined })
  await world.pass(8000, 1000)
  // At the close of 100 the bid has gained 2 and the ask 3, so the bid comes first: 2, and the other 6.4.
  expect(await tradesOn(world, second)).toEqual(['2@98', '6.4@103'])
  await world.close(second)
  expect(world.report().isReproduced).toBe(true)
})

test('after a kill the record and the account are of one moment, and the report gives the same fills', async () => {
  const world = await opened()
  const journal = join(world.folder, 'journal')
  const first = await world.open(world.config(), { path: journal, time: undefined })
  await world.until(first.spot.placeOrder({ ...ORDER, quantity: '5' }))
  await world.pass(1000)
  world.trade('sell', '99', '3')
  await world.pass(300)
  world.trade('sell', '99', '3')
  await world.pass(300)
  expect(await tradesOn(world, first)).toEqual(['1@99'])
  // The files as a process leaves them that is killed now.
  const [killed, folder] = [join(world.folder, 'killed'), join(world.folder, 'killed-paper')]
  for (const part of ['.exchange', '.exchange-wal']) copyFileSync(journal + part, killed + part)
  cpSync(join(world.folder, 'paper'), folder, { recursive: true })
  const second = await world.open(world.config({ folder }), { path: killed, time: undefined })
  await world.pass(1000)
  world.trade('sell', '99', '2')
  await world.pass(1000)
  // Nothing was ahead any more.
  expect(await tradesOn(world, second)).toEqual(['1@99', '2@99'])
  await world.until(first.close())
  await world.close(second)
  expect(sessionResult(readSession(join(folder, 'tested')))).toMatchObject({
    ...{ isReproduced: true, queues: [{}, { queue: 'shown', fills: 2 }, {}] },
  })
})

test('where more trades happened than an answer holds, the minute decides, and the fill says so', async () => {
  const world = await opened()
  const venue = await world.open(world.config({ readMs: 4000 }))
  await world.until(venue.spot.placeOrder(ORDER))
  await world.pass(62_000, 2000)
  world.trade('buy', '99.5', '0.001')
  await world.pass(6000, 2000)
  for (let count = 0; count < 1100; count++) world.trade('buy', '99.5', '0.001')
  await world.pass(6000, 2000)
  // Of 1,101 trades 1,001 are known, 1.001 of the volume of 3: 1.999 are not, and the minute went to 98.
  world.klines = [{ idx: 1_704_067_260_000, open: 99.5, high: 100, low: 98, close: 99.5, vol: 3 }]
  await world.pass(56_000, 4000)
  expect(await tradesOn(world, venue)).toEqual(['1.999@99'])
  await world.close(venue)
  expect(world.rows('fill').map(({ evidence }) => [evidence.rule, evidence.gap])).toEqual([
    ['gapMinute', 'More trades happened between two reads than one answer holds.'],
  ])
  expect(world.report().isReproduced).toBe(true)
})

test('a host that is away is told once, and once when it is back; meanwhile its prices are not answered', async () => {
  const world = await opened()
  const venue = await world.open()
  const told: string[] = []
  venue.onSilence?.(sentence => told.push(sentence))
  const refused = (promise: Promise<unknown>) =>
    world.until(promise.then(() => 'answered').catch(({ httpStatus }) => httpStatus))
  world.hides = '/'
  // A call that fails once is not a host that is away.
  await world.pass(4000)
  expect([told, await refused(venue.spot.ticker({ symbol: 'BTC/USDT' }))]).toEqual([[], 'answered'])
  expect(venue.silence?.()).toBeUndefined()
  await world.pass(8000)
  expect(venue.silence?.()).toMatch(
    /^The host has shown no order book of BTC\/USDT that can be used for 1[12] s: orders there wait, and their prices count as stale\. The host gave no answer to spotDepth: It answered HTTP 503 without readable content\.$/,
  )
  expect(told).toEqual([
    'The host has shown no order book of BTC/USDT that can be used for 5 s: orders there wait, and their prices count as stale. The host gave no answer to spotDepth: It answered HTTP 503 without readable content.',
  ])
  expect(await refused(venue.spot.ticker({ symbol: 'BTC/USDT' }))).toBe(503)
  expect(await refused(venue.spot.depth({ symbol: 'BTC/USDT', limit: 5 }))).toBe(503)
  expect(await refused(venue.account.balances())).toBe('answered')
  world.hides = ''
  await world.pass(20_000, 500)
  expect(told.length).toBe(2)
  expect(venue.silence?.()).toBeUndefined()
  expect(told[1]).toMatch(/^The host shows the order book of BTC\/USDT again, after \d+ s\.$/)
  expect(await refused(venue.spot.ticker({ symbol: 'BTC/USDT' }))).toBe('answered')
  await world.close(venue)
})

test('klines come from the host, whatever was observed', async () => {
  const world = await opened()
  world.klines = [{ idx: 1_704_067_140_000, open: 1.1, high: 2, low: 1, close: 1.5, vol: 7 }]
  const venue = await world.open()
  const klines = await world.until(venue.spot.klines({ symbol: 'BTC/USDT', interval: '1m', limit: 5 }))
  expect(klines).toEqual([{ openTime: 1_704_067_140_000, open: 1.1, high: 2, low: 1, close: 1.5, volume: 7 }])
  await world.close(venue)
})

test('a host that shows no book is refused with a sentence', async () => {
  const world = await opened()
  world.hides = '/depth'
  await expect(world.open()).rejects.toThrow(
    'The host showed no order book of BTC/USDT that can be used within 10 s, so no order could be matched there. The host gave no answer to spotDepth: It answered HTTP 503 without readable content.',
  )
  await world.close()
})

test.each(['apiKeyEnv', 'apiSecretEnv', 'apiKey', 'apiSecret'])(
  'a paper venue with %s is refused',
  async key => {
    const world = await opened()
    expect(() => world.config({ [key]: 'SLUICE_API_KEY' })).toThrow(
      new RegExp(`takes no API key: .* Delete .{1,2}${key}.{1,2}; to trade`),
    )
    await world.close()
  },
)
