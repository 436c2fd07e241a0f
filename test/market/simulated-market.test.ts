import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import { type Interval, intervalMs } from '../../src/domain/market-data/interval.ts'
import { createExchangeClient } from '../../src/exchange/exchange-client.ts'
import type { MarketEvent } from '../../src/market/market-event.ts'
import type { MarketSubscription } from '../../src/market/market-subscription.ts'
import { clockScheduler } from '../../src/market/polls/clock-scheduler.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import type { SimulatorConfigInput } from '../../src/simulator/simulator-config.ts'
import { inProcessTransport } from '../in-process-transport.ts'
import { MINUTE, START } from '../simulator/exchange-caller.ts'
import { ROUND_CONTRACT } from '../simulator/futures/futures-caller.ts'
import { followed } from './followed.ts'

const HOUR = 60 * MINUTE
const SPOT = ['BTC/USDT', 'ETH/USDT'] as const
const CONTRACT = 'E-BTC-USDT'

/** Follows a simulated exchange on virtual time for so long, from `START` on. */
async function follow(
  subscriptions: readonly MarketSubscription[],
  ms: number,
  config: Partial<SimulatorConfigInput> = {},
) {
  const clock = new VirtualClock(START)
  const exchange = createSimulatedExchange({
    listings: SPOT.map(symbol => ({ symbol, market: { type: 'generated', historyKlines: 500 } })),
    futures: { contracts: [ROUND_CONTRACT] },
    ...config,
  })
  const calls: string[] = []
  const carry = inProcessTransport(exchange, clock)
  const client = createExchangeClient({
    spotUrl: 'http://127.0.0.1',
    futuresUrl: 'http://127.0.0.1',
    clock,
    transport: request => {
      calls.push(decodeURIComponent(request.url.replace('http://127.0.0.1', '')))
      return carry(request)
    },
    random: () => 0.5,
  })
  const events: MarketEvent[] = []
  const { spot, futures } = client
  const scheduler = clockScheduler(clock)
  const usage = () => client.state().calls.ip
  followed({ subscriptions, spot, futures, scheduler, usage }).subscribe(event => events.push(event))
  await clock.advanceTo(START + ms)
  return { events, calls, client }
}

const klines = (symbol: string, interval: Interval): MarketSubscription => ({
  type: 'klines',
  market: symbol === CONTRACT ? 'futures' : 'spot',
  symbol,
  interval,
})
const unexpected = (events: readonly MarketEvent[]) =>
  events.filter(({ type }) => type === 'failed' || type === 'stale')

describe('market streams of the simulated exchange', () => {
  it('bring klines of two pairs, a contract and three intervals in one order, each equal to what the exchange has', async () => {
    const wanted = [
      klines('ETH/USDT', '1m'),
      klines('BTC/USDT', '1m'),
      klines(CONTRACT, '1m'),
      klines('BTC/USDT', '5m'),
      klines('BTC/USDT', '1h'),
    ]
    const { events, client } = await follow(wanted, HOUR + 30_000)
    expect(unexpected(events)).toEqual([])
    const told = events.flatMap(event => (event.type === 'kline' ? [event] : []))
    const said = (from: number) =>
      told.slice(from).map(({ symbol, interval, kline }) => {
        const minute = (kline.openTime + intervalMs(interval) - START) / MINUTE
        return `${symbol} ${interval} ${minute}`
      })
    expect(said(0).slice(0, 6)).toEqual([
      'ETH/USDT 1m 1',
      'BTC/USDT 1m 1',
      'E-BTC-USDT 1m 1',
      'ETH/USDT 1m 2',
      'BTC/USDT 1m 2',
      'E-BTC-USDT 1m 2',
    ])
    expect(said(-5)).toEqual([
      'BTC/USDT 1h 60',
      'BTC/USDT 5m 60',
      'ETH/USDT 1m 60',
      'BTC/USDT 1m 60',
      'E-BTC-USDT 1m 60',
    ])
    expect(told).toHaveLength(3 * 60 + 12 + 1)
    const known = await client.spot.klines({ symbol: 'ETH/USDT', interval: '1m', limit: 61 })
    expect(told.filter(({ symbol }) => symbol === 'ETH/USDT').map(({ kline }) => kline)).toEqual(
      known.slice(0, 60),
    )
  })

  it('bring klines of four hours, which the exchange does not have, and of days', async () => {
    const { events } = await follow([klines('BTC/USDT', '4h'), klines('BTC/USDT', '1d')], 48 * HOUR + 1000)
    const told = events.flatMap(event => (event.type === 'kline' ? [event] : []))
    expect(told.filter(({ interval }) => interval === '4h').map(({ kline }) => kline.openTime)).toEqual(
      Array.from({ length: 12 }, (_, index) => START + index * 4 * HOUR),
    )
    const days = told.filter(({ interval }) => interval === '1d').map(({ kline }) => kline)
    expect(days.map(({ openTime }) => openTime)).toEqual([START, START + 24 * HOUR])
    const parts = told.filter(({ interval }) => interval === '4h').map(({ kline }) => kline)
    expect(days[1]).toMatchObject({
      open: parts[6]?.open,
      high: Math.max(...parts.slice(6).map(({ high }) => high)),
      low: Math.min(...parts.slice(6).map(({ low }) => low)),
      close: parts[11]?.close,
    })
    expect(unexpected(events)).toEqual([])
  })

  it('bring tickers, order books, trades, index prices and lists of both markets', async () => {
    const { events, calls } = await follow(
      [
        ...SPOT.map(symbol => ({ type: 'ticker', market: 'spot', symbol, everyMs: 5000 }) as const),
        { type: 'ticker', market: 'futures', symbol: CONTRACT, everyMs: 5000 },
        { type: 'depth', market: 'spot', symbol: 'BTC/USDT', levels: 3, everyMs: 5000 },
        { type: 'depth', market: 'futures', symbol: CONTRACT, levels: 3, everyMs: 5000 },
        { type: 'trades', market: 'spot', symbol: 'BTC/USDT', everyMs: 5000 },
        { type: 'indexPrice', market: 'futures', symbol: CONTRACT, everyMs: 5000 },
        { type: 'listings', market: 'spot', everyMs: 60_000 },
        { type: 'listings', market: 'futures', everyMs: 60_000 },
      ],
      10 * MINUTE - 1,
    )
    expect(unexpected(events)).toEqual([])
    const count = (market: string, type: string) =>
      events.filter(event => event.type === type && 'market' in event && event.market === market).length
    expect(count('spot', 'ticker')).toBe(2 * 120)
    expect(count('futures', 'ticker')).toBe(120)
    expect(count('spot', 'depth')).toBe(120)
    expect(count('futures', 'depth')).toBe(120)
    expect(count('futures', 'indexPrice')).toBe(120)
    const trades = events.flatMap(event => (event.type === 'trade' ? [event.trade.id] : []))
    // Four prints a minute.
    expect(trades.length).toBeGreaterThan(30)
    expect(new Set(trades).size).toBe(trades.length)
    expect(events.find(({ type }) => type === 'depth')).toMatchObject({ depth: { bids: { length: 3 } } })
    expect(calls.filter(call => call.startsWith('/sapi/v2/ticker'))).toHaveLength(120)
    expect(calls).toContain('/sapi/v2/ticker?symbols=BTC/USDT,ETH/USDT')
  })

  it('tell that the exchange changed a precision', async () => {
    const { events } = await follow(
      [
        { type: 'listings', market: 'spot', everyMs: 60_000 },
        { type: 'listings', market: 'futures', everyMs: 60_000 },
      ],
      5 * MINUTE,
      {
        faults: [
          { fault: 'changedPrecision', symbol: 'ETH/USDT', pricePrecision: 1, from: '+90s' },
          { fault: 'changedPrecision', symbol: CONTRACT, pricePrecision: 0, from: '+90s' },
        ],
      },
    )
    const rule = (after: string) => ({
      type: 'rulesChanged',
      rules: [{ rule: 'pricePrecision', before: '2', after }],
    })
    expect(events).toEqual([
      { type: 'listingChanged', market: 'spot', symbol: 'ETH/USDT', change: rule('1') },
      { type: 'listingChanged', market: 'futures', symbol: CONTRACT, change: rule('0') },
    ])
  })

  it('go on with the tickers of a batch in which the exchange does not know one symbol', async () => {
    const symbols = ['BTC/USDT', 'GONE/USDT', 'ETH/USDT']
    const { events, calls } = await follow(
      symbols.map(symbol => ({ type: 'ticker', market: 'spot', symbol, everyMs: 1000 }) as const),
      60_000,
    )
    const failures = events.filter(event => event.type === 'failed')
    expect(failures[0]).toMatchObject({ what: 'ticker of GONE/USDT', error: { exchangeCode: -1121 } })
    // One answer may be odd, so that the pair is asked for again soon, then more and more seldom.
    expect(failures.map(({ retryInMs }) => retryInMs)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000])
    const tickers = events.flatMap(event => (event.type === 'ticker' ? [event.symbol] : []))
    expect(tickers.filter(symbol => symbol === 'BTC/USDT').length).toBeGreaterThan(55)
    expect(new Set(tickers)).toEqual(new Set(['BTC/USDT', 'ETH/USDT']))
    expect(events.filter(({ type }) => type === 'stale')).toEqual([
      { type: 'stale', stream: 'spot ticker GONE/USDT', ageMs: expect.any(Number) },
    ])
    // Each time the batch, its first half and that half's second; in between only those that are known.
    expect(calls.filter(call => call.includes('GONE'))).toHaveLength(3 * failures.length)
  })

  it('deliver every kline once through timeouts, 5xx, cut, doubled and old answers, and a restart', async () => {
    const { events } = await follow(
      SPOT.flatMap(symbol => [
        klines(symbol, '1m'),
        { type: 'ticker', market: 'spot', symbol, everyMs: 20_000 } as const,
      ]),
      6 * HOUR,
      {
        seed: 3,
        faults: [
          { fault: 'serverError', endpoint: 'spotKlines', probability: 0.1 },
          { fault: 'delay', endpoint: 'spotKlines', delayMs: 15_000, probability: 0.02 },
          { fault: 'dropAfter', endpoint: 'spotKlines', probability: 0.05 },
          { fault: 'truncatedJson', endpoint: 'spotKlines', probability: 0.05 },
          { fault: 'duplicatedEntries', endpoint: 'spotKlines', probability: 0.2 },
          { fault: 'staleRead', endpoint: 'spotKlines', lagMs: 3000, probability: 0.2 },
          { fault: 'restart', from: '+60m', until: '+75m' },
        ],
      },
    )
    for (const symbol of SPOT) {
      const told = events.flatMap(event =>
        event.type === 'kline' && event.symbol === symbol ? [event.kline.openTime] : [],
      )
      expect(told.length).toBeGreaterThanOrEqual(358)
      expect(told).toEqual(told.map((_, index) => START + index * MINUTE))
    }
    expect(events.filter(({ type }) => type === 'failed').length).toBeGreaterThan(20)
    expect(events.filter(({ type }) => type === 'klineRevised' || type === 'klinesMissing')).toEqual([])
  })
})
