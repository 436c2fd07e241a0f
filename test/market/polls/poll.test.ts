import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { clockScheduler } from '../../../src/market/polls/clock-scheduler.ts'
import { poll, readOnce } from '../../../src/market/polls/poll.ts'

/** Resolves with `value`, `delayMs` later on the clock. */
function later<Value>(clock: VirtualClock, delayMs: number, value: Value): Promise<Value> {
  return new Promise(resolve => {
    clock.schedule(delayMs, () => resolve(value))
  })
}

describe('poll', () => {
  it('reads at once and then every period', async () => {
    const clock = new VirtualClock(0)
    const reads: number[] = []
    poll(async () => reads.push(clock.now()), 10, clockScheduler(clock)).subscribe()
    await clock.advanceTo(30)
    expect(reads).toEqual([0, 10, 20, 30])
  })

  it('never has two reads under way: a slow one makes it leave periods out', async () => {
    const clock = new VirtualClock(0)
    const starts: number[] = []
    let [underWay, most] = [0, 0]
    const read = async () => {
      starts.push(clock.now())
      most = Math.max(most, ++underWay)
      await later(clock, 25, undefined)
      underWay--
    }
    const results: number[] = []
    poll(read, 10, clockScheduler(clock)).subscribe(() => results.push(clock.now()))
    await clock.advanceTo(90)
    expect(starts).toEqual([0, 30, 60, 90])
    expect(results).toEqual([25, 55, 85])
    expect(most).toBe(1)
  })

  it('gives a failed read as a value and reads on, whether it rejects or throws', async () => {
    const clock = new VirtualClock(0)
    const outcomes = [
      () => Promise.resolve('first'),
      () => Promise.reject(new Error('no answer')),
      () => {
        throw new Error('cannot even ask')
      },
      () => Promise.resolve('last'),
    ]
    const seen: unknown[] = []
    poll(() => outcomes.shift()?.() ?? Promise.resolve('end'), 10, clockScheduler(clock)).subscribe({
      next: polled => seen.push(polled.ok ? polled.value : polled.error),
      error: error => seen.push(['ended', error]),
    })
    await clock.advanceTo(30)
    expect(seen).toEqual(['first', new Error('no answer'), new Error('cannot even ask'), 'last'])
  })

  it('stops to read once nobody listens', async () => {
    const clock = new VirtualClock(0)
    let reads = 0
    const subscription = poll(async () => reads++, 10, clockScheduler(clock)).subscribe()
    await clock.advanceTo(15)
    subscription.unsubscribe()
    await clock.advanceTo(100)
    expect(reads).toBe(2)
  })
})

describe('readOnce', () => {
  it('reads once for every subscriber, and ends', async () => {
    let reads = 0
    const seen: unknown[] = []
    const once$ = readOnce(async () => ++reads)
    await new Promise<void>(resolve => {
      once$.subscribe({ next: value => seen.push(value), complete: resolve })
    })
    expect(seen).toEqual([{ ok: true, value: 1 }])
    expect(reads).toBe(1)
  })
})
