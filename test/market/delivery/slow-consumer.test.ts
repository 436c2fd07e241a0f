import { from, Subject, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { forSlowConsumer } from '../../../src/market/delivery/slow-consumer.ts'
import type { MarketEvent } from '../../../src/market/market-event.ts'
import { clockScheduler } from '../../../src/market/polls/clock-scheduler.ts'
import { EventQueue } from '../../../src/market/sequences/event-queue.ts'

const depth = (symbol: string, time: number): MarketEvent => ({
  type: 'depth',
  market: 'spot',
  symbol,
  depth: { bids: [], asks: [], time },
})
const trade = (id: number): MarketEvent => ({
  type: 'trade',
  market: 'spot',
  symbol: 'A/B',
  trade: {
    id: String(id),
    symbol: 'A/B',
    side: 'buy',
    price: new Decimal(1),
    quantity: new Decimal(1),
    time: id,
  },
})
const kline = (openTime: number): MarketEvent => ({
  type: 'kline',
  market: 'spot',
  symbol: 'A/B',
  interval: '1m',
  kline: { openTime, open: 1, high: 1, low: 1, close: 1, volume: 1 },
})
const failed = (failures: number): MarketEvent => ({
  type: 'failed',
  what: 'depth of A/B',
  streams: ['spot depth A/B'],
  error: new Error('no answer'),
  failures,
  retryInMs: 1,
})
const stale: MarketEvent = { type: 'stale', stream: 'spot depth A/B', ageMs: 1 }
const fresh: MarketEvent = { type: 'fresh', stream: 'spot depth A/B', ageMs: 2 }

function drained(queue: EventQueue): readonly (MarketEvent | undefined)[] {
  const events: (MarketEvent | undefined)[] = []
  while (!queue.isEmpty) events.push(queue.shift())
  return events
}

function queueOf(bound: number, ...events: readonly MarketEvent[]): EventQueue {
  const queue = new EventQueue(bound)
  for (const event of events) queue.push(event)
  return queue
}

describe('EventQueue', () => {
  it('keeps the latest order book of each symbol, in the place of the first', () => {
    const queue = queueOf(9, depth('A/B', 1), kline(0), depth('C/D', 1), depth('A/B', 2), depth('A/B', 3))
    expect(drained(queue)).toEqual([depth('A/B', 3), kline(0), depth('C/D', 1)])
    queue.push(depth('A/B', 4))
    expect(drained(queue)).toEqual([depth('A/B', 4)])
  })

  it('keeps the latest failure, and whether a stream is silent now', () => {
    expect(drained(queueOf(9, failed(1), stale, failed(2), fresh))).toEqual([failed(2), fresh])
  })

  it('keeps every kline and trade up to its bound', () => {
    expect(drained(queueOf(3, trade(1), kline(0), trade(2)))).toEqual([trade(1), kline(0), trade(2)])
  })

  it('says in its place what it had to drop beyond that', () => {
    const queue = queueOf(2, trade(1), trade(2), trade(3), kline(0), trade(4), depth('A/B', 1))
    expect(queue.shift()).toEqual(trade(1))
    queue.push(trade(5))
    queue.push(trade(6))
    expect(drained(queue)).toEqual([
      trade(2),
      { type: 'dropped', count: 3, bound: 2, streams: ['spot trades A/B', 'spot klines A/B 1m'] },
      depth('A/B', 1),
      trade(5),
      { type: 'dropped', count: 1, bound: 2, streams: ['spot trades A/B'] },
    ])
  })
})

describe('forSlowConsumer', () => {
  it('hands over one event at a time: all klines and trades, and of order books the latest', async () => {
    const clock = new VirtualClock(0)
    const scheduler = clockScheduler(clock)
    const events$ = new Subject<MarketEvent>()
    const seen: string[] = []
    forSlowConsumer(
      events$,
      event => {
        seen.push(`${event.type}@${clock.now()}`)
        return timer(100, scheduler)
      },
      10,
    ).subscribe()
    for (const event of [depth('A/B', 1), trade(1), depth('A/B', 2), kline(0), depth('A/B', 3), trade(2)]) {
      events$.next(event)
    }
    await clock.advanceTo(1000)
    events$.next(kline(1))
    await clock.advanceTo(2000)
    expect(seen).toEqual(['depth@0', 'trade@100', 'depth@200', 'kline@300', 'trade@400', 'kline@1000'])
  })

  it('gives on what the consumer makes of the events, also of one that is not slow', () => {
    const seen: string[] = []
    forSlowConsumer(from([trade(1), kline(0)]), event => [event.type, 'done'], 10).subscribe(said =>
      seen.push(said),
    )
    expect(seen).toEqual(['trade', 'done', 'kline', 'done'])
  })
})
