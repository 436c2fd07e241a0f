import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { seededRandom } from '../../src/domain/numbers/seeded-random.ts'
import type { MarketEvent } from '../../src/market/market-event.ts'
import { clockScheduler } from '../../src/market/polls/clock-scheduler.ts'
import { MINUTE, START } from '../simulator/exchange-caller.ts'
import { FaultyKlines } from './faulty-klines.ts'
import { followed } from './followed.ts'

const HOUR = 60 * MINUTE
const END = START + 12 * HOUR

describe('12 hours of polling 1-minute klines from an exchange whose answers time out, fail, repeat themselves, lag and are revised', () => {
  it('tell every closed kline exactly once, complete and in order, every gap, and every revision', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1e9 }), async seed => {
        const { exchange, events } = await twelveHours(seed)
        const truth = exchange.closed(START, END)
        const told = events.flatMap(event => (event.type === 'kline' ? [event.kline] : []))
        expect(told.map(({ openTime }) => openTime)).toEqual(truth.map(({ openTime }) => openTime))
        expect(told.filter(kline => !exchange.hasClosed(kline))).toEqual([])
        expect(latestOf(events)).toEqual(truth)
        expect(missingMinutes(events)).toEqual(absentMinutes(truth))
        const { counts } = exchange
        expect(Math.min(counts.timedOut, counts.failed, counts.old, counts.doubled)).toBeGreaterThan(10)
        expect(counts.pages).toBeGreaterThan(0)
        expect(events.filter(({ type }) => type === 'klineRevised').length).toBeGreaterThan(0)
      }),
      { numRuns: 5, endOnFailure: true },
    )
  }, 120_000)
})

/** Two freezes of some minutes, and one outage of more than 300 klines. */
async function twelveHours(seed: number) {
  const random = seededRandom(seed).uniform
  const clock = new VirtualClock(START + 30_000)
  const outageFrom = START + HOUR + Math.round(random() * 2 * HOUR)
  const freeze = (hour: number) => {
    const from = START + hour * HOUR + Math.round(random() * HOUR)
    return { from, until: from + Math.round(random() * 8 * MINUTE) }
  }
  const exchange = new FaultyKlines({
    seed,
    from: START - HOUR,
    until: END + MINUTE,
    outages: [{ from: outageFrom, until: outageFrom + 5.2 * HOUR }],
    frozen: [freeze(0), freeze(9), freeze(10)],
    calmFrom: END - 10 * MINUTE,
    sleep: ms => new Promise(resolve => void clock.schedule(ms, () => resolve())),
    now: () => clock.now(),
  })
  const events: MarketEvent[] = []
  followed({
    subscriptions: [
      { type: 'klines', market: 'spot', symbol: 'BTC/USDT', interval: '1m' },
      { type: 'ticker', market: 'spot', symbol: 'BTC/USDT', everyMs: 20_000 },
    ],
    spot: { klines: exchange.klines, ticker: exchange.ticker },
    scheduler: clockScheduler(clock),
    random,
  }).subscribe(event => events.push(event))
  await clock.advanceTo(END + 30_000)
  return { exchange, events }
}

/** Every kline as it was told last, by open time. */
function latestOf(events: readonly MarketEvent[]): readonly Kline[] {
  const latest = new Map<number, Kline>()
  for (const event of events) {
    if (event.type === 'kline' || event.type === 'klineRevised') latest.set(event.kline.openTime, event.kline)
  }
  return [...latest.values()]
}

function missingMinutes(events: readonly MarketEvent[]): readonly number[] {
  return events.flatMap(event => (event.type === 'klinesMissing' ? minutesIn(event.from, event.until) : []))
}

/** Minutes since `START` without a kline, up to the last one that has one. */
function absentMinutes(truth: readonly Kline[]): readonly number[] {
  const open = new Set(truth.map(({ openTime }) => openTime))
  const last = truth.at(-1)?.openTime ?? START
  return minutesIn(START, last).filter(openTime => !open.has(openTime))
}

function minutesIn(from: number, until: number): readonly number[] {
  return Array.from({ length: (until - from) / MINUTE }, (_, index) => from + index * MINUTE)
}
