import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { RateLimitedError } from '../../../src/exchange/budget/rate-limited-error.ts'
import type { MarketClient } from '../../../src/market/market-client.ts'
import type { MarketEvent } from '../../../src/market/market-event.ts'
import type { MarketSubscription } from '../../../src/market/market-subscription.ts'
import { clockScheduler } from '../../../src/market/polls/clock-scheduler.ts'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'
import { streams } from '../followed.ts'

const ONE = new Decimal(1)
const klines = (symbol = 'BTC/USDT'): MarketSubscription => ({
  type: 'klines',
  market: 'spot',
  symbol,
  interval: '1m',
})
const depth: MarketSubscription = {
  type: 'depth',
  market: 'spot',
  symbol: 'BTC/USDT',
  levels: 5,
  everyMs: 1000,
}
const minute = (number: number): Kline => {
  return { openTime: START + number * MINUTE, open: 1, high: 1, low: 1, close: 1, volume: Math.abs(number) }
}

/** The latest klines; what has closed is there after `lateMs`, and the one that forms 1 ms later. */
function klinesAt(now: number, limit: number, lateMs: number): readonly Kline[] {
  const forming = Math.floor((now - START - lateMs - 1) / MINUTE)
  return Array.from({ length: limit }, (_, index) => minute(forming - limit + 1 + index))
}

/** A session on virtual time from `START` on. Times are ms since then. */
function session(
  subscriptions: readonly MarketSubscription[],
  options: Partial<Parameters<typeof streams>[0]> = {},
) {
  const clock = new VirtualClock(START)
  const now = () => clock.now() - START
  const reads: string[] = []
  const state = { lateMs: 0, error: undefined as unknown, lateSymbol: 'BTC/USDT' }
  const answer = <Value>(name: string, value: () => Value): Promise<Value> => {
    reads.push(`${name}@${now()}`)
    return state.error === undefined ? Promise.resolve(value()) : Promise.reject(state.error)
  }
  const market = streams({
    subscriptions,
    scheduler: clockScheduler(clock),
    spot: {
      klines: ({ symbol, limit = 100 }) =>
        answer(`${symbol}`, () =>
          klinesAt(clock.now(), limit, symbol === state.lateSymbol ? state.lateMs : 0),
        ),
      depth: () => answer('depth', () => ({ bids: [], asks: [], time: clock.now() })),
    },
    ...options,
  })
  const events: MarketEvent[] = []
  const times: number[] = []
  const subscription = market.events$.subscribe(event => {
    events.push(event)
    times.push(now())
  })
  return {
    market,
    state,
    reads,
    events,
    subscription,
    until: (ms: number) => clock.advanceTo(START + ms),
    /** `type of what@when`. */
    said: () =>
      events.map((event, index) => {
        const of =
          'symbol' in event
            ? event.symbol
            : 'stream' in event
              ? event.stream
              : 'what' in event
                ? event.what
                : ''
        return `${event.type} of ${of}@${times[index]}`
      }),
  }
}

describe('kline streams', () => {
  it('bring a kline with the first read after its close', async () => {
    const { until, said, reads } = session([klines()])
    await until(3 * MINUTE)
    expect(said()).toEqual(['kline of BTC/USDT@60500', 'kline of BTC/USDT@120500'])
    expect(reads).toEqual(['BTC/USDT@60500', 'BTC/USDT@120500'])
  })

  it('ask again for one that is not complete after as long as it is late already', async () => {
    const { until, state, reads, said } = session([klines()])
    state.lateMs = 7000
    await until(2 * MINUTE)
    expect(reads).toEqual([60_500, 61_000, 62_000, 64_000, 68_000].map(at => `BTC/USDT@${at}`))
    expect(said()).toEqual(['kline of BTC/USDT@68000'])
  })

  it.each([
    ['ahead', 60 * MINUTE],
    ['behind', -60 * MINUTE],
  ])(
    'follow the exchange’s time again at once after an estimate of it that was an hour %s',
    async (_name, wrongMs) => {
      const clock = new VirtualClock(START)
      const told: string[] = []
      let aheadMs = 0
      const { events$ } = streams({
        subscriptions: [klines()],
        scheduler: clockScheduler(clock),
        serverNow: () => clock.now() + aheadMs,
        spot: { klines: async ({ limit = 100 }) => klinesAt(clock.now(), limit, 0) },
      })
      events$.subscribe(event => {
        if (event.type === 'kline')
          told.push(`${(event.kline.openTime - START) / MINUTE}@${clock.now() - START}`)
      })
      await clock.advanceTo(START + 70_000)
      aheadMs = wrongMs
      await clock.advanceTo(START + 200_000)
      aheadMs = 0
      await clock.advanceTo(START + 5 * MINUTE + 20_000)
      expect(told.map(each => each.split('@')[0])).toEqual(['0', '1', '2', '3', '4'])
      const times = told.map(each => Number(each.split('@')[1]))
      // Those that closed while the estimate was wrong may come late, but not much later than its end.
      expect(Math.max(...times.slice(1, 3))).toBeLessThanOrEqual(200_000 + 5000)
      expect(times.slice(3)).toEqual([expect.toSatisfy(at => at <= 240_500), 300_500])
    },
  )

  it('ask no more often than every 15 s in the end', async () => {
    const { until, state, reads } = session([klines()])
    state.lateMs = 5 * MINUTE
    await until(3 * MINUTE)
    const times = reads.map(read => Number(read.split('@')[1]))
    expect(times.slice(-5).map((time, index, all) => time - (all[index - 1] ?? time))).toEqual([
      0, 15_000, 15_000, 15_000, 15_000,
    ])
  })

  it('tell failures, try again after pauses that grow, and backfill', async () => {
    const { until, state, said, events } = session([klines()])
    state.error = new Error('no answer')
    await until(62_600)
    state.error = undefined
    await until(5 * MINUTE)
    expect(said()).toEqual(
      ['1m klines of BTC/USDT@60500', '1m klines of BTC/USDT@61000', '1m klines of BTC/USDT@62000']
        .map(text => `failed of ${text}`)
        .concat([
          'kline of BTC/USDT@64000',
          'kline of BTC/USDT@120500',
          'kline of BTC/USDT@180500',
          'kline of BTC/USDT@240500',
        ]),
    )
    expect(events[2]).toMatchObject({
      failures: 3,
      retryInMs: 2000,
      streams: ['spot klines BTC/USDT 1m'],
      error: new Error('no answer'),
    })
  })

  it('count failures anew after a success', async () => {
    const { until, state, events } = session([klines()])
    for (const minute of [1, 2]) {
      state.error = new Error('no answer')
      await until(minute * MINUTE + 1000)
      state.error = undefined
      await until(minute * MINUTE + 30_000)
    }
    const failures = events.flatMap(event => (event.type === 'failed' ? [event.failures] : []))
    expect(failures).toEqual([1, 2, 1, 2])
  })

  it('wait for as long as the exchange asks for', async () => {
    const { until, state, reads } = session([klines()])
    state.error = new RateLimitedError({ endpoint: 'spotKlines', what: 'test', until: START + 100_000 })
    await until(60_500)
    state.error = undefined
    await until(110_000)
    expect(reads).toEqual(['BTC/USDT@60500', 'BTC/USDT@100000'])
  })

  it('report klines that open between our minutes as a failure', async () => {
    const odd = { ...minute(0), openTime: START + 30_000 }
    const { until, events } = session([klines()], { spot: { klines: async () => [odd] } })
    await until(61_000)
    expect(events[0]).toMatchObject({ type: 'failed', error: { code: 'KLINES_OFF_GRID' } })
  })

  it('come in the declared order where they close together, even if the first is late', async () => {
    const { until, state, said } = session([klines('BTC/USDT'), klines('ETH/USDT')])
    state.lateMs = 1500
    await until(2 * MINUTE)
    // The one that waits is announced, since its close counts already.
    expect(said()).toEqual([
      'klineWaiting of ETH/USDT@60503',
      'kline of BTC/USDT@62000',
      'kline of ETH/USDT@62000',
    ])
  })

  it('do not wait longer than their bound for a symbol that is later than that', async () => {
    const both = [klines('BTC/USDT'), klines('ETH/USDT')]
    const { until, state, said } = session(both, { staleAfterMs: 60_000 })
    state.lateMs = 20_000
    await until(2 * MINUTE)
    expect(said()).toEqual([
      'klineWaiting of ETH/USDT@60503',
      'kline of ETH/USDT@65503',
      'kline of BTC/USDT@91000',
    ])
  })
})

describe('market streams', () => {
  it('read nothing before somebody listens, and rest when nobody does any more', async () => {
    const { until, subscription, reads } = session([depth])
    await until(2500)
    subscription.unsubscribe()
    await until(9000)
    expect(reads).toEqual(['depth@0', 'depth@1000', 'depth@2000'])
  })

  it('go on where they were when somebody listens again: the klines of the meantime come first', async () => {
    const { until, subscription, market, said } = session([klines()])
    await until(61_000)
    subscription.unsubscribe()
    await until(5 * MINUTE)
    const more: MarketEvent[] = []
    market.events$.subscribe(event => more.push(event))
    await until(6 * MINUTE)
    expect(said()).toEqual(['kline of BTC/USDT@60500'])
    expect(more.map(event => event.type === 'kline' && event.kline.volume)).toEqual([1, 2, 3, 4])
  })

  it('share one reading among all who listen', async () => {
    const { until, market, reads } = session([depth])
    market.events$.subscribe()
    market.of(depth).subscribe()
    await until(1500)
    expect(reads).toEqual(['depth@0', 'depth@1000'])
  })

  it('give each subscription what concerns it', async () => {
    const { until, market, state } = session([klines(), depth])
    const types = new Set<string>()
    market.of(klines()).subscribe(event => types.add(event.type))
    await until(61_000)
    expect([...types]).toEqual(['kline'])
    state.error = new Error('no answer')
    await until(4 * MINUTE)
    expect([...types]).toEqual(['kline', 'failed', 'stale'])
  })

  it('tell when a stream falls silent, and when it comes back, with its age', async () => {
    const { until, state, events } = session([depth], { staleAfterMs: 4000 })
    await until(10_000)
    state.error = new Error('no answer')
    await until(60_000)
    state.error = undefined
    await until(120_000)
    const silence = events.filter(({ type }) => type === 'stale' || type === 'fresh')
    // The datum of 10 s is the last; the next is due at 11 s, and allowed until 15 s.
    expect(silence).toEqual([
      { type: 'stale', stream: 'spot depth BTC/USDT', ageMs: 5001 },
      { type: 'fresh', stream: 'spot depth BTC/USDT', ageMs: expect.any(Number) },
    ])
  })

  it('tell when a kline is overdue, but not while none is due', async () => {
    const { until, state, said } = session([klines()], { staleAfterMs: 10_000 })
    state.lateMs = 15_000
    await until(2 * MINUTE)
    expect(said()).toEqual([
      'stale of spot klines BTC/USDT 1m@70501',
      'fresh of spot klines BTC/USDT 1m@76000',
      'kline of BTC/USDT@76000',
    ])
  })

  it('leave the weight to orders when they need it, and klines go first when there is some', async () => {
    let used = 9000
    const usage = () => ({ used, limit: 12_000 })
    const { until, reads } = session([depth, klines()], { usage })
    await until(61_000)
    expect(reads).toEqual([])
    used = 8999
    await until(61_600)
    expect(reads).toEqual(['BTC/USDT@61250'])
    used = 0
    await until(61_900)
    expect(reads).toEqual(['BTC/USDT@61250', 'depth@61750'])
  })

  it('ask for more trades at once where an answer does not reach back to the last one', async () => {
    let newest = 1000
    const limits: number[] = []
    const trades: MarketClient['spot']['trades'] = async ({ symbol, limit = 100 }) => {
      limits.push(limit)
      return Array.from({ length: limit }, (_, index) => {
        const id = newest - limit + 1 + index
        return { id: String(id), symbol, side: 'buy', price: ONE, quantity: ONE, time: id } as const
      })
    }
    const wanted = { type: 'trades', market: 'spot', symbol: 'BTC/USDT', everyMs: 1000 } as const
    const { until, events } = session([wanted], { spot: { trades } })
    await until(500)
    newest += 800
    await until(1500)
    expect(limits).toEqual([100, 100, 1000])
    expect(events.map(event => event.type === 'trade' && event.trade.id)).toEqual(
      Array.from({ length: 800 }, (_, index) => String(1001 + index)),
    )
    newest += 5000
    await until(2500)
    expect(limits).toEqual([100, 100, 1000, 1000])
    expect(events[800]).toMatchObject({ type: 'tradesMissed', after: { id: '1800' }, before: { id: '5801' } })
    expect(events).toHaveLength(800 + 1 + 1000)
  })

  it('refuse futures without a futures client', () => {
    const subscription = { ...depth, market: 'futures', symbol: 'E-BTC-USDT' } as const
    expect(() => session([subscription])).toThrow('no futures host; give its futuresUrl.')
  })

  it('take an empty list of all symbols for a failure', async () => {
    const listings = { type: 'listings', market: 'spot', everyMs: 1000 } as const
    const { until, events } = session([listings], { spot: { symbols: async () => [] } })
    await until(100)
    expect(events).toEqual([
      expect.objectContaining({ type: 'failed', error: expect.objectContaining({ code: 'NOTHING_LISTED' }) }),
    ])
  })

  it('compare the first list with what is known already, as far as that goes', async () => {
    const known = new Map([
      ['A/B', { pricePrecision: '2' }],
      ['C/D', { pricePrecision: '2' }],
      ['E/F', { pricePrecision: '2' }],
    ])
    const listings = { type: 'listings', market: 'spot', everyMs: 1000, known } as const
    const listed = (symbol: string, pricePrecision: number) => ({
      symbol,
      pricePrecision,
      quantityPrecision: 5,
    })
    const symbols = async () => [listed('A/B', 2), listed('C/D', 3), listed('G/H', 2)] as never // all that is read of it
    const { until, events } = session([listings], { spot: { symbols } })
    await until(10_000)
    const rules = [{ rule: 'pricePrecision', before: '2', after: '3' }]
    expect(events).toEqual([
      { type: 'listingChanged', market: 'spot', symbol: 'C/D', change: { type: 'rulesChanged', rules } },
      { type: 'listingChanged', market: 'spot', symbol: 'E/F', change: { type: 'delisted' } },
    ])
  })

  it('survive an answer that breaks us, and say so', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: what no type allows
    const broken: any = null
    const { until, events } = session(
      [depth, { type: 'trades', market: 'spot', symbol: 'BTC/USDT', everyMs: 1000 }],
      {
        spot: { depth: async () => broken, trades: async () => broken },
      },
    )
    await until(10_000)
    expect(events.filter(({ type }) => type === 'failed').length).toBeGreaterThan(2)
    expect(events.at(-1)).toBeDefined()
  })
})
