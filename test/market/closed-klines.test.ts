import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../src/bot/virtual-clock.ts'
import type { Kline } from '../../src/domain/kline.ts'
import { clockScheduler } from '../../src/market/clock-scheduler.ts'
import { closedKlines } from '../../src/market/closed-klines.ts'
import { MINUTE, START } from '../simulator/exchange-caller.ts'
import { KlineFeed, minuteKline } from './kline-feed.ts'

const SECOND = 1000
const DELAY = 500

/** Follows the 1m klines after minute `after` on virtual time, from minute `from` on; `times` are ms since `START`. */
function followed(after: number, from = after + 1) {
  const clock = new VirtualClock(START + from * MINUTE)
  const feed = new KlineFeed(clock)
  const klines: Kline[] = []
  const times: number[] = []
  const errors: unknown[] = []
  const subscription = closedKlines({
    interval: '1m',
    after: START + after * MINUTE,
    delayMs: DELAY,
    read: feed.read,
    scheduler: clockScheduler(clock),
  }).subscribe(found => {
    if (!found.ok) {
      errors.push(found.error)
      return
    }
    klines.push(found.kline)
    times.push(clock.now() - START)
  })
  return {
    feed,
    klines,
    times,
    errors,
    subscription,
    /** Lets time pass until so many minutes after `START`. */
    until: (minutes: number) => clock.advanceTo(START + minutes * MINUTE),
  }
}

const minutes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => minuteKline(from + index))

describe('closedKlines', () => {
  it('gives each closed kline once and in order, just after its close, with one read', async () => {
    const stream = followed(9)
    await stream.until(15)
    expect(stream.klines).toEqual(minutes(10, 13))
    expect(stream.times).toEqual([11, 12, 13, 14].map(minute => minute * MINUTE + DELAY))
    expect(stream.feed.reads).toHaveLength(4)
    expect(stream.errors).toEqual([])
  })

  it('never gives the newest kline while it grows', async () => {
    const stream = followed(9)
    await stream.until(30)
    expect(stream.klines.map(({ close }) => close)).not.toContain(950)
    expect(stream.klines).toEqual(minutes(10, 28))
  })

  it('asks again every second for a kline that the exchange publishes 3 s late', async () => {
    const stream = followed(9)
    stream.feed.lateMs = 3 * SECOND
    await stream.until(13)
    expect(stream.klines).toEqual(minutes(10, 11))
    expect(stream.times).toEqual([11, 12].map(minute => minute * MINUTE + 3 * SECOND + DELAY))
    expect(stream.feed.reads.map(({ at }) => at % MINUTE)).toEqual(
      [0, 1, 2, 3, 0, 1, 2, 3].map(second => second * SECOND + DELAY),
    )
  })

  it('tells each failed read and reads on', async () => {
    const stream = followed(9)
    stream.feed.outage = [11 * MINUTE, 11 * MINUTE + 2 * SECOND]
    await stream.until(13)
    expect(stream.errors).toEqual([new Error('no answer'), new Error('no answer')])
    expect(stream.klines).toEqual(minutes(10, 11))
    expect(stream.times).toEqual([11 * MINUTE + 2 * SECOND + DELAY, 12 * MINUTE + DELAY])
  })

  it('backfills in order the 20 klines that an outage hid, with one read', async () => {
    const stream = followed(9)
    stream.feed.outage = [11 * MINUTE, 31 * MINUTE]
    await stream.until(34)
    expect(stream.klines).toEqual(minutes(10, 32))
    expect(stream.times.slice(0, 21)).toEqual(Array(21).fill(31 * MINUTE + DELAY))
    const after = stream.feed.reads.filter(({ at }) => at >= 31 * MINUTE)
    expect(after.map(({ at }) => at)).toEqual([31, 32, 33].map(minute => minute * MINUTE + DELAY))
    expect(after[0]?.limit).toBeGreaterThanOrEqual(22)
  })

  it('reads no more often in an outage than once a second', async () => {
    const stream = followed(9)
    stream.feed.outage = [11 * MINUTE, 16 * MINUTE]
    await stream.until(16)
    const waits = stream.feed.reads.slice(1).map(({ at }, index) => at - (stream.feed.reads[index]?.at ?? 0))
    expect(Math.min(...waits)).toBe(SECOND)
    expect(stream.feed.reads).toHaveLength(5 * 60)
  })

  it('asks for at most the 300 klines that the exchange gives at once', async () => {
    const stream = followed(9, 500)
    await stream.until(501)
    expect(Math.max(...stream.feed.reads.map(({ limit }) => limit))).toBe(300)
    expect(stream.klines).toEqual(minutes(201, 499))
  })

  it('gives a kline once that the exchange says twice', async () => {
    const stream = followed(9)
    stream.feed.repeats = true
    stream.feed.outage = [11 * MINUTE, 14 * MINUTE]
    await stream.until(17)
    expect(stream.klines).toEqual(minutes(10, 15))
  })

  it('stops to read once nobody listens', async () => {
    const stream = followed(9)
    await stream.until(12)
    stream.subscription.unsubscribe()
    await stream.until(20)
    expect(stream.feed.reads).toHaveLength(1)
  })
})
