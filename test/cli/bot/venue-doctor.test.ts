import { existsSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAcceleratedClock } from '../../../src/bot/clock/accelerated-clock.ts'
import { runVenueDoctor, type VenueDoctorOptions } from '../../../src/cli/bot/venue-doctor.ts'
import { loadProfile } from '../../../src/config/profiles/load-profile.ts'
import { DOCUMENT_PROFILE } from '../../../src/exchange/profiles/document-profile.ts'
import type { DialectName } from '../../../src/simulator/dialects/dialects.ts'
import { startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { bookAt, type FakeCall, FakeHost, json, klinesUntil, page } from '../../bot/paper/fake-host.ts'
import { fileWith } from '../../e2e/sluice-process.ts'
import { dialectConfig } from '../../simulator/dialects/dialect-host.ts'
import { flatMarket, START } from '../../simulator/exchange-caller.ts'

const MINUTE = 60_000
const KEYS = { SLUICE_API_KEY: TEST_ACCOUNT.apiKey, SLUICE_API_SECRET: TEST_ACCOUNT.apiSecret }

/** Serves a dialect; its origin, and what it was asked for, such as `GET /sapi/v2/time`. */
async function served(dialect: DialectName, more: SimulatorConfigInput = {}) {
  const asked: string[] = []
  const listings = [{ symbol: 'BTC/USDT', market: { type: 'klines', klines: flatMarket(100, 90) } as const }]
  const exchange = createSimulatedExchange(dialectConfig(dialect, { listings, ...more }))
  const handle = exchange.handle.bind(exchange)
  Object.assign(exchange, {
    handle: (...[request, ...rest]: Parameters<typeof handle>) => {
      asked.push(`${request.method} ${request.target.split('?')[0]}`)
      return handle(request, ...rest)
    },
  })
  const clock = createAcceleratedClock({ speed: 1, startAt: START + 80 * MINUTE })
  const server = await startExchangeServer({ exchange, clock, admin: false })
  onTestFinished(() => server.close())
  return { origin: new URL(server.url).origin, asked }
}

/** A web server that is no exchange. */
async function webServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function doctor(
  options: Partial<VenueDoctorOptions> & { readonly venue: string },
  environment: Record<string, string> = {},
) {
  let out = ''
  const write = (text: string) => {
    out += text
  }
  const exitCode = await runVenueDoctor(
    { json: false, pauseMs: 0, ...options },
    { ...environment },
    { write },
  )
  return { exitCode, out }
}

/** The profile that the doctor writes. */
async function writtenBy(venue: string, environment: Record<string, string>, expectedCode = 0) {
  const write = join(dirname(fileWith('folder', '')), 'host.yaml')
  const { exitCode, out } = await doctor({ venue, write }, environment)
  expect([exitCode, out]).toEqual([expectedCode, expect.stringContaining(`The profile is in ${write}`)])
  const { spot, futures } = loadProfile(write)
  return { spot, futures, text: readFileSync(write, 'utf8') }
}

const HOST = { ...DOCUMENT_PROFILE.spot, orderTypes: ['LIMIT', 'MARKET'] }
const NO_HISTORY = ['spotHistoryOrders', 'spotMyTradesV3']
/** A futures host whose orders nobody has tried. */
const UNTRIED = {
  ...DOCUMENT_PROFILE.futures,
  orderTypes: ['LIMIT', 'MARKET'],
  orderUnits: [],
  marketOrderUnit: { open: 'unknown', close: 'contracts' },
}
const SPOT_ONE = { ...HOST, version: 'v1' }
const EVERY_INTERVAL = ['1m', '5m', '15m', '30m', '1h', '1d', '1w', '1M']

/**
 * What venues.md says of each exchange that a host shows without an order: versions, prefixes, calls and klines that are
 * missing. The differences that "any host may show" are those that the dialects have. `{}`: a host that is not there.
 */
const EXPECTED: Readonly<Record<DialectName, { spot: object; futures: object }>> = {
  document: { spot: HOST, futures: UNTRIED },
  zke: { spot: HOST, futures: UNTRIED },
  gcbex: { spot: { ...HOST, lacks: NO_HISTORY }, futures: {} },
  koinbay: { spot: { ...SPOT_ONE, lacks: NO_HISTORY }, futures: { ...UNTRIED, lacksKlines: ['1h'] } },
  xme: { spot: { ...SPOT_ONE, lacks: NO_HISTORY }, futures: { ...UNTRIED, lacks: ['futuresTickerAll'] } },
  fameex: { spot: SPOT_ONE, futures: { ...UNTRIED, lacksKlines: EVERY_INTERVAL } },
  bitbaby: {
    spot: { ...SPOT_ONE, signsPrefix: false, lacks: NO_HISTORY },
    futures: { ...UNTRIED, signsPrefix: false },
  },
  odyssey: { spot: SPOT_ONE, futures: UNTRIED },
  gaiaex: { spot: {}, futures: UNTRIED },
  darkex: { spot: {}, futures: UNTRIED },
  bitrue: { spot: {}, futures: { ...UNTRIED, version: 'v2' } },
}
const PREFIXES: Partial<Record<DialectName, readonly [string, string]>> = {
  bitbaby: ['/spot/open', '/futures/open'],
}
/** A host of which a profile says nothing. */
const NOT_THERE = { spot: DOCUMENT_PROFILE.spot, futures: DOCUMENT_PROFILE.futures }

describe('doctor --venue', () => {
  it.each(
    Object.entries(EXPECTED).map(([name, expected], index) => ({
      ...expected,
      dialect: name as DialectName,
      keys: index % 2 === 0 ? {} : KEYS,
      how: index % 2 === 0 ? 'without a key' : 'with a key',
    })),
  )('writes the profile of $dialect, asked $how', async ({ dialect, keys, spot, futures }) => {
    const { origin, asked } = await served(dialect)
    // A host without any klines is no place for a bot.
    const written = await writtenBy(origin, keys, dialect === 'fameex' ? 1 : 0)
    const [beforeSpot, beforeFutures] = PREFIXES[dialect] ?? ['', '']
    const isThere = (host: object) => Object.keys(host).length > 0
    expect(written.spot).toEqual(isThere(spot) ? { ...spot, url: `${origin}${beforeSpot}` } : NOT_THERE.spot)
    expect(written.futures).toEqual(
      isThere(futures) ? { ...futures, url: `${origin}${beforeFutures}` } : NOT_THERE.futures,
    )
    const others = asked.filter(request => !request.startsWith('GET '))
    expect(new Set(others.map(request => request.replace(/v\d/, 'v')))).toEqual(
      new Set(keys === KEYS && isThere(spot) ? [`POST ${beforeSpot}/sapi/v/order/test`] : []),
    )
  })

  it('keeps of a known profile what only an order shows, and says which calls it cannot tell', async () => {
    const { origin } = await served('koinbay')
    const mine = fileWith(
      'mine.yaml',
      `exchange: KoinBay
date: 2026-11
source: a friend
spot: { url: "${origin}", version: v1 }
futures: { url: "${origin}", lacks: [futuresTransactions], orderUnits: [], marketOrderUnit: { open: quote } }
`,
    )
    const { futures, text } = await writtenBy(mine, KEYS)
    expect([futures.lacks, futures.marketOrderUnit.open, futures.orderTypes.length]).toEqual([
      ['futuresTransactions'],
      'quote',
      5,
    ])
    expect(text).toMatch(/Whether the spot host has these calls: spotNewOrder, .*spotCancel/)
  })

  it('tells clock, limits, instruments, klines and key, and what has to be configured', async () => {
    const { origin } = await served('bitbaby')
    const { exitCode, out } = await doctor({ venue: origin, json: true }, KEYS)
    const { hosts } = JSON.parse(out)
    const facts = hosts.map(({ facts }: { facts: { about: string; found: string }[] }) =>
      Object.fromEntries(facts.map(({ about, found }) => [about, found])),
    )
    expect([exitCode, hosts.length]).toEqual([0, 2])
    // The exchange is at 1 January 2024 and this machine is not, but the bot stamps by the measured time.
    expect(facts[0].clock).toMatch(
      /^\/spot\/open\/sapi\/v1\/time answers in \d+ ms: .* ms ahead of the host's, known to within \d+ ms\. It is on this machine and has a time of its own/,
    )
    expect(facts[0].limits).toMatch(
      /^No header tells a limit; .* sent \d+ requests of a weight of \d+ at most\.$/,
    )
    expect(facts[0].instruments).toBe(
      '1 pair trades; the calls were asked about BTC/USDT. The list does not tell minNotional, makerFeeRate, takerFeeRate. Write what your fee schedule says into the configuration of the bot:\ninstruments:\n  BTC/USDT: { minNotional: …, makerFeeRate: …, takerFeeRate: … }',
    )
    expect(facts[1].instruments).toContain('makerFeeRate, takerFeeRate.')
    expect(facts[0].key).toBe('The host takes the key; signed reads are asked with it.')
    expect(facts[0].orders).toMatch(/^The test of orders takes LIMIT, MARKET, and refuses /)
    expect(hosts[0].calls.find(({ call }: { call: string }) => call === 'spotTestOrder').paths).toEqual([
      '/spot/open/sapi/v1/order/test',
    ])
  })

  it('says what becomes of klines that a host lacks, and that nothing can be followed without any', async () => {
    const klinesOf = async (dialect: DialectName) => {
      const { exitCode, out } = await doctor({ venue: (await served(dialect)).origin, json: true })
      const { problems, hosts } = JSON.parse(out)
      const facts: { about: string; found: string }[] = hosts[1].facts
      return { exitCode, problems, found: facts.find(({ about }) => about === 'klines')?.found }
    }
    expect(await klinesOf('koinbay')).toEqual({
      ...{ exitCode: 0, problems: [] },
      found: 'There are no klines of 1h. The bot makes those of 1h of those of 30min.',
    })
    const none = 'The futures host has no klines of any interval, so no strategy can follow a contract there.'
    expect(await klinesOf('fameex')).toEqual({ exitCode: 1, problems: [none], found: none })
  })

  it('blames a wrong key, and never a key for a missing version', async () => {
    const { origin } = await served('koinbay')
    const wrong = await doctor({ venue: origin, json: true }, { ...KEYS, SLUICE_API_SECRET: 'wrong' })
    const [spot] = JSON.parse(wrong.out).hosts
    const factOf = (about: string) =>
      spot.facts.find((fact: { about: string }) => fact.about === about)?.found
    const callOf = (name: string) => spot.calls.find(({ call }: { call: string }) => call === name)
    expect(factOf('key')).toMatch(/^The host refuses the key: .*\(code -1022\)$/)
    expect(callOf('spotHistoryOrders')).toEqual({ call: 'spotHistoryOrders', paths: [], found: 'missing' })
    expect(callOf('spotOpenOrders').paths).toEqual(['/sapi/v1/openOrders'])
    expect(wrong.out).not.toContain('wrong')
    const right = JSON.parse((await doctor({ venue: origin, json: true }, KEYS)).out).hosts[0].calls
    expect(right.find(({ call }: { call: string }) => call === 'spotHistoryOrders')?.found).toBe('missing')
  })

  it('asks no more once a rate limit is broken, and takes nothing for missing that it did not ask', async () => {
    const limits = { ipWeightPerMinute: 40 }
    const { origin, asked } = await served('document', { limits })
    const write = join(dirname(fileWith('folder', '')), 'host.yaml')
    const { exitCode, out } = await doctor({ venue: origin, write })
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(
        /Nothing further was asked: the host says that a rate limit is broken \(HTTP 429\)/,
      ),
    ])
    expect(loadProfile(write).spot.lacks).toEqual([])
    expect(asked.length).toBeLessThan(50)
  })
})

describe('doctor --venue at an address that is no exchange', () => {
  it.each<[string, RequestListener, RegExp]>([
    [
      'a page',
      (_, answer) => void answer.writeHead(403, { 'content-type': 'text/html' }).end('<html>no</html>'),
      /answers with pages instead of JSON \(HTTP 403\)/,
    ],
    [
      'other JSON',
      (_, answer) => void answer.writeHead(200).end('{"hello":"world"}'),
      /does not serve the spot calls of this interface/,
    ],
    [
      'nothing there',
      (_, answer) => void answer.writeHead(404).end('not found'),
      /does not serve the spot calls of this interface/,
    ],
    [
      'another place',
      (_, answer) => void answer.writeHead(301, { location: 'https://www.example.com/' }).end(),
      /sends all calls on to https:\/\/www\.example\.com\/ \(HTTP 301\)/,
    ],
    ['silence', () => {}, /did not answer within 0\.1 s/],
  ])('says so in a sentence where it answers %s', async (_, answer, sentence) => {
    const venue = await webServer(answer)
    const write = join(dirname(fileWith('folder', '')), 'host.yaml')
    const { exitCode, out } = await doctor({ venue, write, timeoutMs: 100 })
    expect([exitCode, out.trim().split('\n').length]).toEqual([1, 1])
    expect(out).toMatch(sentence)
    expect(existsSync(write)).toBe(false)
  })

  it('says that nothing listens there', async () => {
    const { exitCode, out } = await doctor({ venue: 'http://127.0.0.1:1' })
    expect([exitCode, out]).toEqual([1, 'http://127.0.0.1:1 refuses connections; nothing listens there.\n'])
  })

  it('fails for a futures host that was named and is none, and shows the spot host', async () => {
    const { origin } = await served('gcbex')
    const { exitCode, out } = await doctor({ venue: origin, futures: origin })
    expect(exitCode).toBe(1)
    expect(out).toContain('Spot host')
    expect(out).toContain(`${origin} does not serve the futures calls of this interface`)
  })

  it('says that no bot can trade at a host of market data alone, and offers it for a paper account', async () => {
    const { origin } = await served('document')
    const market = await webServer(async ({ url = '' }, response) => {
      const isPublic = /^\/sapi\/v2\/(ping|time|symbols|depth|ticker|trades|klines)/.test(url)
      const answer = await fetch(`${origin}${isPublic ? url : '/nothing'}`)
      const body = isPublic ? await answer.text() : '{"code":"404","msg":"Not Found"}'
      response.writeHead(isPublic ? answer.status : 404, { 'content-type': 'application/json' }).end(body)
    })
    const write = join(dirname(fileWith('folder', '')), 'host.yaml')
    const { exitCode, out } = await doctor({ venue: market, write })
    expect(exitCode).toBe(1)
    expect(out).toMatch(
      /The spot host has no spotAccount, no spotOrder, .*, so no bot can trade there; a paper account, .*type: paper/,
    )
    expect(out).toContain(`venue: { type: paper, profile: ${write} }`)
    expect(out).not.toContain('NTP')
  })

  it('overwrites no file, and refuses half a key and addresses that are none', async () => {
    const write = fileWith('there.yaml', 'mine')
    const refused = async (options: Partial<VenueDoctorOptions>, keys = {}) =>
      doctor({ venue: 'http://127.0.0.1:1', ...options }, keys).catch((error: unknown) => String(error))
    expect(await refused({ write })).toContain('exists already, and is not overwritten')
    expect(readFileSync(write, 'utf8')).toBe('mine')
    expect(await refused({}, { SLUICE_API_KEY: 'k' })).toContain('SLUICE_API_SECRET is not')
    expect(await refused({ venue: 'http://example.com' })).toContain('is not HTTPS')
    expect(await refused({ venue: 'koinbai' })).toContain('Did you mean "koinbay"?')
    expect(await refused({ venue: 'document' })).toContain('names no host')
  })
})

describe('doctor --venue on answers that cannot be used', () => {
  /** Asks a host whose answers are the document's but for some calls. */
  async function asked(calls: Readonly<Record<string, FakeCall>>) {
    const host = await new FakeHost().listen()
    onTestFinished(() => host.close())
    for (const [end, call] of Object.entries(calls)) host.calls.set(end, call)
    return doctor({ venue: host.url })
  }

  it('finds nothing wrong with a host as the document has it', async () => {
    const { exitCode, out } = await asked({})
    expect(exitCode).toBe(0)
    expect(out).not.toContain('that can be used')
  })

  it.each<[string, Readonly<Record<string, FakeCall>>, string]>([
    [
      'no klines',
      { '/klines': () => ({ status: 404, body: '' }) },
      'The spot host has no klines of BTC/USDT that can be used: /sapi/v2/klines, /sapi/v1/klines, /sapi/v3/klines: the call is missing.',
    ],
    [
      'impossible klines',
      { '/klines': () => json(klinesUntil(Date.now(), 5).map(kline => ({ ...kline, low: '500' }))) },
      'The futures host has no klines of E-BTC-USDT that can be used: its high of 101 is below another of its prices.',
    ],
    [
      'pages instead of order books',
      { '/depth': () => page(503) },
      'The spot host has no order book of BTC/USDT that can be used: /sapi/v2/depth answers with a page instead of JSON (HTTP 503).',
    ],
    [
      'a bid above the ask',
      { '/depth': () => json(bookAt(Date.now(), '100.2', '100.1')) },
      'The spot host has no order book of BTC/USDT that can be used: its bid of 100.2 is above its ask of 100.1.',
    ],
    [
      'null for the list of pairs',
      { '/symbols': () => json({ symbols: null }) },
      'The spot host lists no pair that trades, so there is nothing to follow.',
    ],
    [
      'null for the list of contracts',
      { '/contracts': () => json({ code: 0, msg: '', data: null }) },
      'The futures host lists no contract that trades, so there is nothing to follow.',
    ],
  ])('fails in a sentence on %s', async (_, calls, sentence) => {
    const { exitCode, out } = await asked(calls)
    expect([exitCode, out]).toEqual([1, expect.stringContaining(sentence)])
  })

  it('takes null for an empty list of trades, and says so', async () => {
    const { exitCode, out } = await asked({ '/trades': () => json({ list: null }) })
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(/spotTrades .* null instead of an empty list /),
    ])
    expect(out).not.toContain('without price, time')
  })
})
