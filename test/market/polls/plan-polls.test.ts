import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Interval } from '../../../src/domain/market-data/interval.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { type MarketSubscription, streamOf } from '../../../src/market/market-subscription.ts'
import { planPolls } from '../../../src/market/polls/plan-polls.ts'
import type { PlannedPoll, PollBudget } from '../../../src/market/polls/poll-plan.ts'
import { BUDGET } from '../followed.ts'

const plan = (subscriptions: readonly MarketSubscription[], budget: Partial<PollBudget> = {}) =>
  planPolls(subscriptions, { ...BUDGET, ...budget })

const klines = (symbol: string, interval: Interval = '1m') =>
  ({ type: 'klines', market: 'spot', symbol, interval }) as const
const ticker = (symbol: string, everyMs = 1000) =>
  ({ type: 'ticker', market: 'spot', symbol, everyMs }) as const
const depth = (symbol: string, everyMs = 1000, levels = 20) =>
  ({ type: 'depth', market: 'spot', symbol, everyMs, levels }) as const

const symbols = (count: number) => Array.from({ length: count }, (_, index) => `C${index}/USDT`)
const said = (polls: readonly PlannedPoll[]) =>
  polls.map(({ name, weightPerMinute }) => [name, weightPerMinute])

describe('planPolls', () => {
  it('costs 200 symbols of 1-minute klines and tickers every second at 27% of the budget', () => {
    const { weight, slowdown, polls } = plan(symbols(200).flatMap(symbol => [klines(symbol), ticker(symbol)]))
    // 200 klines a minute, and 10 calls of 5 sixty times; in the worst minute every second kline is read twice.
    expect(weight).toEqual({
      limit: 12_000,
      account: 0,
      available: 9000,
      perMinute: 3200,
      worstMinute: 3300,
      share: 3200 / 12_000,
    })
    expect(slowdown).toBe(1)
    expect(polls).toHaveLength(210)
  })

  it('asks for klines that close together one after the other, at 400 a second', () => {
    const { polls, klineDelivery } = plan(symbols(200).map(symbol => klines(symbol)))
    const delays = polls.map(poll => (poll.type === 'klines' ? poll.delayMs : Number.NaN))
    expect(delays.slice(0, 5)).toEqual([500, 503, 505, 508, 510])
    expect(delays.at(-1)).toBe(998)
    // The 100th, 198th and 200th of them, each 100 ms under way.
    expect(klineDelivery).toEqual({ p50Ms: 500 + 248 + 100, p99Ms: 500 + 493 + 100, lastMs: 998 + 100 })
  })

  it('asks for all of them within half the interval, however many there are', () => {
    const { polls } = plan(
      symbols(4000).map(symbol => klines(symbol)),
      { callsPerSecond: 10 },
    )
    const delays = polls.map(poll => (poll.type === 'klines' ? poll.delayMs : Number.NaN))
    expect(Math.max(...delays)).toBeLessThanOrEqual(500 + 30_000)
  })

  it('asks for the short intervals first, and counts them as often as they close', () => {
    const { polls, klineDelivery } = plan([klines('A/B', '1h'), klines('A/B'), klines('C/D', '1d')], {
      callsPerSecond: 1,
    })
    expect(said(polls)).toEqual([
      ['1m klines of A/B', 1],
      ['1h klines of A/B', 1 / 60],
      ['1d klines of C/D', 1 / 1440],
    ])
    // More than 98% of all klines are minutes, but not 99%.
    expect(klineDelivery).toEqual({ p50Ms: 600, p99Ms: 1600, lastMs: 2600 })
  })

  it('reads what several want only once: as fast, as deep and as early as anybody wants it', () => {
    const { polls } = plan([
      { ...klines('A/B'), after: 120_000 },
      ticker('A/B', 5000),
      depth('A/B', 2000, 5),
      { ...klines('A/B'), after: 60_000 },
      ticker('A/B', 1000),
      depth('A/B', 3000, 50),
    ])
    expect(polls.map(({ work }) => work)).toEqual([
      { type: 'klines', market: 'spot', symbol: 'A/B', interval: '1m', part: '1m', after: 60_000 },
      { type: 'tickers', market: 'spot', symbols: ['A/B'], all: false },
      { type: 'depth', market: 'spot', symbol: 'A/B', levels: 50 },
    ])
    expect(polls.map(poll => poll.type === 'periodic' && poll.timing.everyMs)).toEqual([false, 1000, 2000])
  })

  it('takes the weights of the endpoint table', () => {
    const { polls } = plan([
      depth('A/B', 60_000),
      { type: 'trades', market: 'spot', symbol: 'A/B', everyMs: 60_000 },
      { type: 'listings', market: 'spot', everyMs: 60_000 },
      { type: 'depth', market: 'futures', symbol: 'E-A-B', levels: 5, everyMs: 60_000 },
      { type: 'ticker', market: 'futures', symbol: 'E-A-B', everyMs: 60_000 },
      { type: 'indexPrice', market: 'futures', symbol: 'E-A-B', everyMs: 60_000 },
      { type: 'listings', market: 'futures', everyMs: 60_000 },
    ])
    expect(said(polls)).toEqual([
      ['ticker of E-A-B', 1],
      ['depth of A/B', 5],
      ['trades of A/B', 5],
      ['spot symbols', 1],
      ['depth of E-A-B', 1],
      ['index price of E-A-B', 1],
      ['futures contracts', 1],
    ])
  })

  it('slows everything but the klines down where the budget is tight', () => {
    const wanted = symbols(100).flatMap(symbol => [klines(symbol), depth(symbol)])
    const { weight, slowdown, polls } = plan(wanted)
    // 9000 less 150 for klines are left for 100 × 5 × 60 = 30,000: each second becomes 3390 ms.
    expect(slowdown).toBeCloseTo(3.39, 10)
    expect(polls.filter(({ type }) => type === 'klines')).toHaveLength(100)
    for (const poll of polls) if (poll.type === 'periodic') expect(poll.timing.everyMs).toBe(3390)
    expect(weight.worstMinute).toBeLessThanOrEqual(9000)
    expect(weight.worstMinute).toBeGreaterThan(8990)
  })

  it('leaves a larger part to orders where it is told to', () => {
    const wanted = symbols(100).map(symbol => depth(symbol))
    expect(plan(wanted, { orderShare: 0.5 }).slowdown).toBe(5)
    expect(plan(wanted, { orderShare: 0 }).slowdown).toBe(2.5)
  })

  it('refuses what does not fit, with the numbers', () => {
    const wanted = [...symbols(500).map(symbol => depth(symbol)), klines('A/B')]
    const refusal = () => plan(wanted, { weightPerMinute: 1000 })
    expect(refusal).toThrow(UsageError)
    // 500 × 5 × 6, ten times slower than wanted.
    expect(refusal).toThrow(
      'Market data would need a weight of at least 15002 a minute: 2 for klines (1 streams) and 15000 for everything else at its slowest (500 polls). Only 750 of 1000 are theirs, because 25% are left to orders; follow less, or change weightPerMinute or orderShare.',
    )
  })

  it.each([
    [{ ...depth('A/B'), levels: 101 }, 'The levels of spot depth A/B are 101'],
    [{ ...ticker('A/B'), everyMs: 0 }, 'The everyMs of spot ticker A/B is 0'],
    [{ ...ticker('A/B'), slowestMs: -1 }, 'The slowestMs of spot ticker A/B is -1'],
  ])('refuses what makes no sense', (subscription, sentence) => {
    expect(() => plan([subscription])).toThrow(sentence)
  })

  it('needs nothing for nothing', () => {
    expect(plan([])).toMatchObject({ polls: [], slowdown: 1, klineDelivery: undefined })
  })

  it('spreads periodic polls over their period', () => {
    const { polls } = plan(symbols(10).map(symbol => depth(symbol, 10_000)))
    const firsts = polls.map(poll => (poll.type === 'periodic' ? poll.timing.firstAfterMs : Number.NaN))
    const gaps = firsts
      .toSorted((a, b) => a - b)
      .map((first, index, sorted) => (sorted[index + 1] ?? 10_000) - first)
    expect(firsts[0]).toBe(0)
    expect(Math.min(...gaps)).toBeGreaterThan(500)
    expect(Math.max(...gaps)).toBeLessThan(2000)
  })

  it('never plans more than the budget, and covers every stream by exactly one poll', () => {
    const symbol = fc.nat({ max: 60 }).map(number => `C${number}/USDT`)
    const everyMs = fc.integer({ min: 200, max: 20_000 })
    const spot = fc.constant('spot' as const)
    const subscription = fc.oneof(
      fc.record({
        type: fc.constant('klines' as const),
        market: spot,
        symbol,
        interval: fc.constantFrom<Interval>('1m', '1h'),
      }),
      fc.record({ type: fc.constant('ticker' as const), market: spot, symbol, everyMs }),
      fc.record({
        type: fc.constant('depth' as const),
        market: spot,
        symbol,
        everyMs,
        levels: fc.integer({ min: 1, max: 100 }),
      }),
      fc.record({ type: fc.constant('trades' as const), market: spot, symbol, everyMs }),
    )
    const budget = fc.record({
      weightPerMinute: fc.integer({ min: 200, max: 12_000 }),
      orderShare: fc.double({ min: 0, max: 0.9, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(subscription, { maxLength: 80 }), budget, (wanted, given) => {
        const planned = planOrRefusal(wanted, given)
        if (planned === undefined) return
        expect(planned.weight.worstMinute).toBeLessThanOrEqual(planned.weight.available + 1e-6)
        const covered = planned.polls.flatMap(({ work }) =>
          work.type === 'tickers'
            ? work.symbols.map(name => streamOf({ type: 'ticker', market: work.market, symbol: name }))
            : [streamOf(work)],
        )
        expect(covered.toSorted()).toEqual([...new Set(wanted.map(streamOf))].toSorted())
      }),
    )
  })
})

/** `undefined` where it is refused. */
function planOrRefusal(wanted: readonly MarketSubscription[], budget: Partial<PollBudget>) {
  try {
    return plan(wanted, budget)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}
