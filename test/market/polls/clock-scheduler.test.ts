import { interval, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import type { Clock } from '../../../src/domain/clock.ts'
import { clockScheduler } from '../../../src/market/polls/clock-scheduler.ts'

describe('clockScheduler', () => {
  it("runs a timer's first value and its periods at their times", async () => {
    const clock = new VirtualClock(1000)
    const seen: string[] = []
    timer(5, 10, clockScheduler(clock)).subscribe(value => seen.push(`${value}@${clock.now()}`))
    await clock.advanceTo(1030)
    expect(seen).toEqual(['0@1005', '1@1015', '2@1025'])
  })

  it('tells the time of its clock', () => {
    expect(clockScheduler(new VirtualClock(42)).now()).toBe(42)
  })

  it('runs nothing more once the subscription has ended, not even what was due at the same time', async () => {
    const clock = new VirtualClock(0)
    const seen: string[] = []
    const scheduler = clockScheduler(clock)
    const second = timer(10, scheduler)
    const first = timer(10, scheduler).subscribe(() => {
      seen.push('first')
      subscription.unsubscribe()
    })
    const subscription = second.subscribe(() => seen.push('second'))
    const periodic = interval(3, scheduler).subscribe(value => seen.push(`period ${value}`))
    await clock.advanceTo(7)
    periodic.unsubscribe()
    await clock.advanceTo(100)
    expect(seen).toEqual(['period 0', 'period 1', 'first'])
    expect(first.closed).toBe(true)
  })

  it('does not start what was unsubscribed before it was due', async () => {
    const clock = new VirtualClock(0)
    const seen: number[] = []
    timer(10, clockScheduler(clock))
      .subscribe(value => seen.push(value))
      .unsubscribe()
    await clock.advanceTo(20)
    expect(seen).toEqual([])
  })

  it('remembers nothing of the periods that are over: one thing is left to cancel after a thousand', async () => {
    const inner = new VirtualClock(0)
    let canceled = 0
    const clock: Clock = {
      now: () => inner.now(),
      schedule: (delayMs, callback) => {
        const cancel = inner.schedule(delayMs, callback)
        return () => {
          canceled++
          cancel()
        }
      },
    }
    const subscription = interval(1, clockScheduler(clock)).subscribe()
    await inner.advanceTo(1000)
    subscription.unsubscribe()
    expect(canceled).toBe(1)
  })
})
