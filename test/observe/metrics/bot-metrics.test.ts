import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { configuredMarkets } from '../../../src/config/configured-market.ts'
import { metricsField } from '../../../src/config/metrics-field.ts'
import { webField } from '../../../src/config/web-field.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { BotMetrics } from '../../../src/observe/metrics/bot-metrics.ts'
import { readinessOf } from '../../../src/observe/metrics/readiness.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { passwordHash } from '../../../src/web/server/password.ts'
import { startWebServer } from '../../../src/web/server/web-server.ts'
import { afterTest } from '../../after-test.ts'
import { BotSession, type BotSessionOptions, KEY, SECRET } from '../../bot/bot-session.ts'
import { flipper, once } from '../../bot/test-strategies.ts'
import { REQUEST_LOST } from '../../faulty-transport.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { klinesOf, MINUTE } from '../../simulator/exchange-caller.ts'

const TOKEN = 'a-token-for-the-scraper'
/** Buys 1 BTC while it holds nothing; the market stays at 100. */
const holder = defineStrategy({
  name: 'holder',
  onKline: (_kline, { position }) =>
    position.direction === 'flat' ? enterLong({ stopLoss: 90 }) : undefined,
})

/** A bot with metrics on virtual time. */
async function measured(metrics: object = {}, options: Partial<BotSessionOptions> = {}) {
  let session: BotSession | undefined
  const marketOf = configuredMarkets({ spot: {} })
  const venue = { requests: () => session?.client.state().requests ?? [], clockOffsetMs: () => -1500 }
  const bot = new BotMetrics({ config: metricsField.parse(metrics), marketOf, venue })
  afterTest(() => bot.close())
  session = new BotSession({ strategy: holder, observer: bot.observer, ...options })
  return { session, metrics: bot }
}

/** The same, trading for so many minutes. */
async function traded(metrics: object = {}, options: Partial<BotSessionOptions> = {}, minutes = 2) {
  const made = await measured(metrics, options)
  const bot = await made.session.create()
  bot.start(error => made.session.failures.push(error))
  made.metrics.show(bot)
  await made.session.run(minutes * MINUTE)
  return made
}

/** Value of the sample with this name and these labels, in any order of the labels. */
function sample(
  text: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  for (const line of text.split('\n')) {
    const [, found, list = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    const given = Object.fromEntries(
      [...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]),
    )
    const isIt = Object.entries(labels).every(([key, text]) => given[key] === text)
    if (found === `sluice_${name}` && isIt) return Number(value)
  }
  return undefined
}

const HOLDER = { strategy: 'holder', symbol: 'BTC/USDT', account: 'spot' }

describe('the metrics of a bot', () => {
  it('sum fees exactly: each of many entries of 1 BTC pays 0.001 BTC', async () => {
    const { metrics } = await traded({ balances: true }, { strategy: flipper }, 40)
    const { text } = await metrics.write()
    const [, fees = ''] = /^sluice_fees_total\{.*asset="BTC".*\} (.+)$/m.exec(text) ?? []
    // Ten doubles of 0.001 are 0.010000000000000002.
    expect(Number(fees)).toBeGreaterThanOrEqual(0.01)
    expect(fees).toMatch(/^0\.0\d{1,2}$/)
  })

  it('count an entry: its order, answer, fill and fee, and what it left on the account', async () => {
    const journal = new Journal(journalPath())
    afterTest(() => journal.close())
    const { metrics } = await traded({ balances: true }, { journal })
    const { text, contentType } = await metrics.write()
    expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
    // A market buy of 1 BTC at 100, of which 0.1% is the fee: 0.001 BTC. One order filled, and its stop rests here.
    expect(sample(text, 'orders_total', { ...HOLDER, status: 'filled' })).toBe(1)
    expect(sample(text, 'fills_total', HOLDER)).toBe(1)
    expect(sample(text, 'fees_total', { ...HOLDER, asset: 'BTC' })).toBeCloseTo(0.001, 12)
    expect(sample(text, 'position_base', HOLDER)).toBe(0.999)
    // 10,000 USDT less 0.1 of fee and the slippage of a tick, 0.01.
    const equity = sample(text, 'equity', { quote: 'USDT' }) ?? 0
    expect(equity).toBeCloseTo(9999.9, 1)
    expect(sample(text, 'exposure_ratio', { quote: 'USDT' })).toBeCloseTo(99.9 / equity, 6)
    expect(sample(text, 'drawdown_ratio', { quote: 'USDT' })).toBeCloseTo(1 - equity / 10_000, 6)
    for (const step of ['sent', 'answered', 'filled'])
      expect(sample(text, 'order_latency_seconds_count', { ...HOLDER, step })).toBe(1)
    expect(sample(text, 'decision_seconds_count', { symbol: 'BTC/USDT' })).toBe(1)
    expect(sample(text, 'journal_commit_seconds_count')).toBeGreaterThan(0)
    expect(sample(text, 'http_requests_total', { endpoint: 'spotNewOrder', code: '200' })).toBe(1)
    expect(sample(text, 'feed_age_seconds', { symbol: 'BTC/USDT' })).toBeLessThanOrEqual(1)
    expect(sample(text, 'clock_offset_seconds')).toBe(-1.5)
    expect(sample(text, 'unknown_orders')).toBe(0)
    expect(sample(text, 'reconciliation_drift')).toBe(0)
    expect(sample(text, 'trading_state', { strategy: '' })).toBe(0)
    expect(sample(text, 'build_info')).toBe(1)
    expect(text).not.toContain(KEY)
    expect(text).not.toContain(SECRET)
  })

  it('count no order that was never sent to the exchange as open', async () => {
    const { metrics } = await traded()
    const { text } = await metrics.write()
    // The exchange took the entry and filled it; the stop-loss waits in the bot.
    expect(sample(text, 'orders_total', { ...HOLDER, status: 'filled' })).toBe(1)
    expect(sample(text, 'orders_total', { status: 'open' })).toBe(1)
  })

  it('count a stop that waits in the bot neither as submitted nor in the time until orders leave, until it leaves', async () => {
    const klines = klinesOf(
      ...[...Array(12).fill(100), ...Array(40).fill(85)].map(at => [at, at, at, at] as const),
    )
    const strategy = once(() => enterLong({ stopLoss: 95 }))
    const { metrics } = await traded({}, { strategy, klines }, 4)
    const { text } = await metrics.write()
    // The entry and its stop were filled; the stop waited a minute for its price.
    expect(sample(text, 'fills_total')).toBe(2)
    expect(sample(text, 'orders_total', { status: 'submitted' })).toBe(2)
    expect(sample(text, 'order_latency_seconds_count', { step: 'sent' })).toBe(1)
    expect(sample(text, 'order_latency_seconds_count', { step: 'filled' })).toBe(2)
  })

  /** A bot that bought with a stop-loss at 95 and was started again, in a market that falls to 85 in its 15th minute. */
  async function restarted(options: Partial<BotSessionOptions>) {
    const klines = klinesOf(
      ...[...Array(15).fill(100), ...Array(40).fill(85)].map(at => [at, at, at, at] as const),
    )
    const journal = new Journal(journalPath())
    afterTest(() => journal.close())
    const of = { klines, journal, ...options }
    const before = await traded({}, of)
    await before.session.leave(5000)
    const { session, metrics } = await traded({}, { ...of, beside: before.session }, 1)
    return { session, text: async () => (await metrics.write()).text }
  }

  it('count after a restart a stop from before as submitted before it is filled', async () => {
    const { session, text } = await restarted({ strategy: once(() => enterLong({ stopLoss: 95 })) })
    await session.run(4 * MINUTE)
    const after = await text()
    for (const status of ['submitted', 'filled']) expect(sample(after, 'orders_total', { status })).toBe(1)
    expect(sample(after, 'order_latency_seconds_count', { step: 'filled' })).toBe(1)
  })

  it('count after a restart no stop from before as canceled that never was at the exchange', async () => {
    const { session, text } = await restarted({ strategy: once(() => enterLong({ stopLoss: 50 })) })
    await session.operate('flatten')
    await session.run(MINUTE)
    const after = await text()
    expect(sample(after, 'orders_total', { status: 'filled' })).toBe(1)
    expect(sample(after, 'orders_total', { status: 'canceled' })).toBeUndefined()
  })

  it('count the drawdown from the highest equity before the start', async () => {
    const { metrics } = await traded({ balances: true })
    metrics.rememberEquity(['12500', '11000'].map(USDT => ({ equity: { USDT }, moved: { USDT: '0' } })))
    const { text } = await metrics.write()
    // About 10,000 of 12,500.
    expect(sample(text, 'drawdown_ratio', { quote: 'USDT' })).toBeCloseTo(0.2, 3)
  })

  it('tell nothing of money unless asked', async () => {
    const { metrics } = await traded()
    const { text } = await metrics.write()
    for (const name of ['equity', 'position_base', 'fees_total']) expect(text).not.toContain(`sluice_${name}`)
    expect(sample(text, 'fills_total', HOLDER)).toBe(1)
  })

  it('count a denial by its check, a halt, and a request without an answer', async () => {
    const { metrics, session } = await traded({}, { risk: { limits: { maxNotional: amountOf('50') } } })
    session.journeyOf = () => REQUEST_LOST
    expect(await session.operate('halt', { reason: 'a drill' })).toContain('halted')
    metrics.countNotice('mail', 'delivered')
    await session.run(MINUTE)
    const { text } = await metrics.write()
    expect(sample(text, 'denials_total', { ...HOLDER, check: 'maxNotional' })).toBe(1)
    expect(sample(text, 'trading_state', { strategy: '' })).toBe(2)
    expect(sample(text, 'trading_state', HOLDER)).toBe(2)
    expect(sample(text, 'notices_total', { channel: 'mail', result: 'delivered' })).toBe(1)
    expect(sample(text, 'http_requests_total', { endpoint: 'spotTicker', code: 'none' })).toBeGreaterThan(0)
    expect((await metrics.readiness()).reasons).toEqual([
      'Trading of account is halted: The operator halted: a drill.',
      expect.stringMatching(/^Calls to the exchange have failed since /),
      expect.stringMatching(/^Market data of BTC\/USDT are stale: /),
    ])
  })

  it('show no hold whose end has come, though no kline has lifted it', async () => {
    const { metrics, session } = await traded()
    await session.operate('pause', { forMs: 20_000 })
    expect((await metrics.readiness()).reasons).toHaveLength(1)
    await session.run(20_000)
    expect(session.said('trading active')).toEqual([])
    expect(await metrics.readiness()).toEqual({ isAlive: true, reasons: [] })
    const { text } = await metrics.write()
    expect(sample(text, 'trading_state', { strategy: '' })).toBe(0)
    expect(sample(text, 'trading_state', HOLDER)).toBe(0)
  })

  it('say of every hold of the account why it is not ready', async () => {
    const klines = klinesOf(
      ...[...Array(12).fill(100), ...Array(40).fill(85)].map(at => [at, at, at, at] as const),
    )
    const { metrics, session } = await traded(
      {},
      {
        ...{ klines, strategy: once(() => enterLong({ stopLoss: 95 })) },
        risk: { protections: { lossesInARow: { count: 1, pauseMs: 30 * MINUTE, mode: 'reducing' } } },
      },
      4,
    )
    await session.operate('halt', { reason: 'a drill' })
    expect((await metrics.readiness()).reasons).toEqual([
      'Trading of account is halted: The operator halted: a drill. 1 trades in a row have lost.',
    ])
  })

  it.each([
    [1, 'The outcome of an order at the exchange is not known.'],
    [2, 'The outcome of 2 orders at the exchange is not known.'],
  ])('say of %d orders without a known outcome: %s', async (count, sentence) => {
    const { session } = await traded()
    const status = await session.status()
    const [order] = status.orders
    if (order === undefined) throw new Error('The bot has no stop-loss.')
    const orders = Array.from({ length: count }, () => ({ ...order, status: 'unknown' as const }))
    expect(readinessOf({ ...status, orders }).reasons).toEqual([sentence])
  })

  it('say that it is not ready while the exchange is away, and is again once it answers', async () => {
    const { metrics, session } = await traded()
    const fault = { fault: 'page', status: 502, until: '+75s' } as const
    session.exchange.stage({ type: 'setFault', time: session.clock.now(), rule: fault })
    await session.run(74_000)
    const { reasons } = await metrics.readiness()
    expect(reasons.join(' ')).toMatch(/Calls to the exchange have failed since 2024-01-01 00:12:0\dZ; .*502/)
    expect(reasons.join(' ')).toContain('Market data of BTC/USDT are stale: nothing new of ')
    await session.run(MINUTE)
    expect(await metrics.readiness()).toEqual({ isAlive: true, reasons: [] })
  })

  it('say that a bot is starting, is ready, and is shutting down', async () => {
    const { metrics, session } = await measured()
    expect(await metrics.readiness()).toEqual({ isAlive: true, reasons: ['The bot is starting.'] })
    const bot = await session.create()
    bot.start(error => session.failures.push(error))
    metrics.show(bot)
    await session.run(MINUTE)
    expect(await metrics.readiness()).toEqual({ isAlive: true, reasons: [] })
    await session.leave(MINUTE)
    expect(await metrics.readiness()).toEqual({ isAlive: true, reasons: ['The bot is shutting down.'] })
  })
})

describe('the addresses for programs', () => {
  /** A window with metrics; `config` and `metricsToken` as configured. */
  async function served(config: object = {}, metricsToken?: string) {
    const server = await startWebServer({
      ...webField.parse(config),
      ...{ metricsToken, hasProbes: true, onError: () => {} },
    })
    afterTest(() => server.close())
    const { port } = new URL(server.url)
    const call = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const own = { host: new URL(server.url).host, ...headers }
      const { statusCode, body } = await request(`http://127.0.0.1:${port || PROXY_PORT}${path}`, {
        headers: own,
      })
      return { status: statusCode, text: await body.text() }
    }
    return { server, call }
  }
  const PROXY_PORT = 18_443
  const answers = {
    write: async () => ({ contentType: 'text/plain', text: 'sluice_up 1\n' }),
    readiness: async () => ({ isAlive: true, reasons: ['Trading of account is halted: a drill'] }),
  }

  it('answer this machine without a login: metrics, health, and ready with the reasons why not', async () => {
    const { server, call } = await served()
    expect(await call('/health')).toEqual({
      status: 200,
      text: '{"alive":true,"ready":false,"why":["The bot is starting."]}',
    })
    expect((await call('/metrics')).status).toBe(503)
    expect((await call('/ready')).status).toBe(503)
    server.answerProbes(answers)
    expect(await call('/metrics')).toEqual({ status: 200, text: 'sluice_up 1\n' })
    expect((await call('/health')).status).toBe(200)
    const ready = { status: 503, text: '{"ready":false,"why":["Trading of account is halted: a drill"]}' }
    expect(await call('/ready')).toEqual(ready)
    server.answerProbes({ ...answers, readiness: async () => ({ isAlive: false, reasons: ['It hangs.'] }) })
    expect((await call('/health')).status).toBe(503)
  })

  it.each([
    ['another name (DNS rebinding)', { host: 'evil.example' }, 421],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page of the same site', { 'sec-fetch-site': 'same-site' }, 403],
  ])('refuse %s', async (_who, headers, status) => {
    const { server, call } = await served()
    server.answerProbes(answers)
    for (const path of ['/metrics', '/metrics?x', '/health', '/ready'])
      expect((await call(path, headers)).status).toBe(status)
  })

  it('answer nobody behind a proxy without the token, wherever the proxy says that they are', async () => {
    const proxied = {
      port: PROXY_PORT,
      behindProxy: true,
      origin: 'https://bot.example.com',
      passwords: { operate: await passwordHash('correct horse battery staple') },
    }
    const { server, call } = await served(proxied, TOKEN)
    server.answerProbes(answers)
    for (const headers of [
      {},
      { 'x-forwarded-for': '127.0.0.1' },
      { authorization: `Bearer ${TOKEN}x` },
      { authorization: `Basic ${TOKEN}` },
    ])
      for (const path of ['/metrics', '/health', '/ready'])
        expect((await call(path, headers)).status).toBe(401)
    expect((await call('/metrics', { authorization: `Bearer ${TOKEN}` })).status).toBe(200)
  })
})
