import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bookAt, contractEntry, type FakeCall, FakeHost, json, page, pairEntry } from './fake-host.ts'
import { PaperWorld } from './paper-world.ts'

/** A paper account on a host whose answers are written by hand; what it tells its log. */
async function followed(config: object = {}, more: object = {}) {
  const world = new PaperWorld()
  const host = await new FakeHost().listen()
  onTestFinished(() => host.close())
  host.now = () => world.clock.now()
  const open = () => world.open(world.config({ spotUrl: host.url, futuresUrl: host.url, ...config }, more))
  const told: string[] = []
  const start = async () => {
    const venue = await open()
    venue.onSilence?.(sentence => told.push(sentence))
    return venue
  }
  return { world, host, told, start }
}

const FUTURES = {
  account: { type: 'futures', leverage: 2, marginMode: 'isolated', positionMode: 'oneWay' },
  strategies: [
    { file: 'strategies/sma-cross.ts', symbol: 'E-BTC-USDT', interval: '1m', size: { quote: 100 } },
  ],
}

const UNUSABLE_BOOKS: readonly (readonly [string, (now: number) => ReturnType<FakeCall>, RegExp])[] = [
  [
    'a page with HTTP 200',
    () => page(200),
    /The answer to spotDepth \(HTTP 200\) cannot be read: it is no JSON/,
  ],
  ['a page with HTTP 503', () => page(503), /gave no answer to spotDepth: It answered HTTP 503/],
  [
    'a page with HTTP 403',
    () => page(403),
    /It answered HTTP 403 without JSON, as a network in front of it does/,
  ],
  ['nothing', () => ({ body: '' }), /The answer to spotDepth \(HTTP 200\) cannot be read: it is no JSON/],
  [
    'a compressed answer',
    () => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('{}') }),
    /cannot be read: it is compressed, which the request did not ask for\. It begins: [^\p{Cc}\ufffd]*$/u,
  ],
  [
    'half of an answer',
    () => ({ body: '{"bids":[["99' }),
    /The answer to spotDepth .* cannot be read: it is no JSON/,
  ],
  [
    'a refusal',
    () => json({ code: -1121, msg: 'Invalid symbol.' }),
    /refused spotDepth with -1121 .*Invalid symbol\./,
  ],
  [
    'a bid above the ask',
    now => json(bookAt(now, '100.2', '100.1')),
    /its bid of 100\.2 is above its ask of 100\.1/,
  ],
  [
    'a bid at the ask',
    now => json(bookAt(now, '100.1', '100.1')),
    /is passed over: its best bid of 100\.1 is not below its best ask of 100\.1/,
  ],
  ['a negative quantity', now => json({ ...bookAt(now), bids: [['99', '-1']] }), /it has a quantity of -1/],
  [
    'a book of a minute ago',
    now => json(bookAt(now - 60_000)),
    /is passed over: by the host's own time it is of 202[34]-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z, 60 s before it was read/,
  ],
]

describe('a paper account tells', () => {
  test.each(UNUSABLE_BOOKS)(
    'why no order book can be used where %s comes, and its end',
    async (_, answer, reason) => {
      const { world, host, told, start } = await followed()
      const venue = await start()
      host.calls.set('/depth', () => answer(world.clock.now()))
      await world.pass(8000, 500)
      expect(told).toEqual([expect.stringMatching(reason)])
      expect(told[0]).toMatch(
        /^The host has shown no order book of BTC\/USDT that can be used for 5 s: orders there wait, and their prices count as stale\. /,
      )
      host.calls.clear()
      await world.pass(40_000, 1000)
      expect(told.slice(1)).toEqual([
        expect.stringMatching(/^The host shows the order book of BTC\/USDT again, after \d+ s\.$/),
      ])
      await world.close(venue)
    },
  )

  test('the reason where it cannot start', async () => {
    const { world, host, start } = await followed()
    host.calls.set('/depth', () => json(bookAt(world.clock.now(), '100.2', '100.1')))
    await expect(start()).rejects.toThrow(
      `The host showed no order book of BTC/USDT that can be used within 10 s, so no order could be matched there. The order book of BTC/USDT is refused: its bid of 100.2 is above its ask of 100.1. Look at the host with "npm run doctor -- --venue ${host.url}", or trade other instruments.`,
    )
  })

  test('nothing of order books behind a byte order mark, with exponents, and with levels out of order', async () => {
    const { world, host, told, start } = await followed()
    const venue = await start()
    host.calls.set('/depth', () => ({
      body: `\uFEFF{"time":${world.clock.now()},"bids":[[99,1E+1],[9.99e1,5e0]],"asks":[["1.001e2","5.0",505],[101,1]]}`,
    }))
    await world.pass(8000, 500)
    expect(told).toEqual([])
    const { bids, asks } = await world.until(venue.spot.depth({ symbol: 'BTC/USDT', limit: 5 }))
    const levels = [...bids, ...asks].map(({ price, quantity }) => [Number(price), Number(quantity)])
    expect(levels).toEqual([
      [99.9, 5],
      [99, 10],
      [100.1, 5],
      [101, 1],
    ])
    await world.close(venue)
  })

  test('that trades cannot be read while order books come, and their end', async () => {
    const { world, host, told, start } = await followed()
    const venue = await start()
    host.calls.set('/trades', () => page(403))
    await world.pass(40_000, 1000)
    expect(told).toEqual([
      expect.stringMatching(
        /^The host has told the public trades of BTC\/USDT no more for 3\d s\. The host gave no answer to spotTrades: It answered HTTP 403 without JSON/,
      ),
    ])
    host.calls.clear()
    await world.pass(60_000, 1000)
    expect(told.slice(1)).toEqual([
      expect.stringMatching(/^The host tells the public trades of BTC\/USDT again, after \d+ s\.$/),
    ])
    await world.close(venue)
  })

  test('that a pair left the list, and that it is back', async () => {
    const { world, host, told, start } = await followed()
    const venue = await start()
    host.calls.set('/symbols', () => json({ symbols: [pairEntry('ETH')] }))
    await world.pass(75_000, 1000)
    expect(told).toEqual([
      'The host does not list BTC/USDT any more: it takes no orders there, and what rests there waits.',
    ])
    host.calls.clear()
    await world.pass(75_000, 1000)
    expect(told.slice(1)).toEqual([
      'The host lists BTC/USDT as trading again: it takes orders, and what rests there can fill.',
    ])
    await world.close(venue)
  })

  test('that a contract is closed', async () => {
    const { world, host, told, start } = await followed({}, FUTURES)
    const venue = await start()
    host.calls.set('/contracts', () => json([{ ...contractEntry(), status: 0 }]))
    await world.pass(75_000, 1000)
    expect(told).toEqual([
      'The host lists E-BTC-USDT as closed: it takes no orders there, and what rests there waits.',
    ])
    await world.close(venue)
  })

  test('the bot why klines cannot be read', async () => {
    const { world, host, start } = await followed()
    const venue = await start()
    host.calls.set('/klines', () => page(200))
    await expect(
      world.until(venue.spot.klines({ symbol: 'BTC/USDT', interval: '1m', limit: 5 })),
    ).rejects.toThrow(/The answer to spotKlines \(HTTP 200\) cannot be read: it is no JSON/)
    await world.close(venue)
  })
})
