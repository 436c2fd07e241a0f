import { setImmediate as nextImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAcceleratedClock } from '../../../src/bot/clock/accelerated-clock.ts'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { createSystemClock } from '../../../src/exchange/clock/system-clock.ts'

const DAY = 86_400_000

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('createSystemClock', () => {
  it.each([
    ['forward', 7_200_000],
    ['back', -7_200_000],
  ])('runs on evenly when the machine is set two hours %s and right again', (_name, step) => {
    const wall = vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000)
    const passed = vi.spyOn(performance, 'now').mockReturnValue(50.5)
    const clock = createSystemClock()
    const seen = [0, step, step, 0].map((ahead, second) => {
      wall.mockReturnValue(1_700_000_000_000 + second * 1000 + ahead)
      passed.mockReturnValue(50.5 + second * 1000)
      return clock.now() - 1_700_000_000_000
    })
    expect(seen).toEqual([0, 1000, 2000, 3000])
  })

  it('waits out a delay longer than a timer of the platform can', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    const fired = vi.fn()
    createSystemClock().schedule(31 * DAY, fired)
    vi.advanceTimersByTime(31 * DAY - 1)
    expect(fired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(fired).toHaveBeenCalledTimes(1)
  })

  it('does not call back before its time when the platform fires early', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const passed = vi.spyOn(performance, 'now')
    passed.mockReturnValue(0)
    const fired = vi.fn()
    createSystemClock().schedule(10, fired)
    passed.mockReturnValue(9.2)
    vi.advanceTimersByTime(10)
    expect(fired).not.toHaveBeenCalled()
    passed.mockReturnValue(10.2)
    vi.advanceTimersByTime(1)
    expect(fired).toHaveBeenCalledTimes(1)
  })

  it('does not call back what was canceled, however late', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const fired = vi.fn()
    const cancel = createSystemClock().schedule(40 * DAY, fired)
    vi.advanceTimersByTime(30 * DAY)
    cancel()
    vi.advanceTimersByTime(30 * DAY)
    expect(fired).not.toHaveBeenCalled()
  })
})

describe('createAcceleratedClock', () => {
  it('shows a minute per real second at speed 60', () => {
    const passed = vi.spyOn(performance, 'now')
    passed.mockReturnValue(5000)
    const clock = createAcceleratedClock({ speed: 60, startAt: 1_700_000_000_000 })
    expect(clock.now()).toBe(1_700_000_000_000)
    passed.mockReturnValue(6000)
    expect(clock.now()).toBe(1_700_000_060_000)
    passed.mockReturnValue(6000.01)
    expect(clock.now()).toBe(1_700_000_060_000)
  })

  it('converts the delay of a timer', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const clock = createAcceleratedClock({ speed: 60, startAt: 0 })
    const firedAt: number[] = []
    clock.schedule(60_000, () => firedAt.push(clock.now()))
    vi.advanceTimersByTime(999)
    expect(firedAt).toEqual([])
    vi.advanceTimersByTime(1)
    expect(firedAt).toEqual([60_000])
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses the speed %d', speed => {
    expect(() => createAcceleratedClock({ speed, startAt: 0 })).toThrow(
      /speed of a clock must be a number above 0/,
    )
  })
})

describe('VirtualClock', () => {
  it('runs timers by time, and those due together in order of insertion', async () => {
    const clock = new VirtualClock(100)
    const ran: string[] = []
    const note = (name: string) => () => ran.push(`${name}@${clock.now()}`)
    clock.schedule(20, note('late'))
    clock.schedule(10, note('first'))
    clock.schedule(10, note('second'))
    clock.schedule(-5, note('at once'))
    clock.schedule(21, note('not due'))
    await clock.advanceTo(120)
    expect(ran).toEqual(['at once@100', 'first@110', 'second@110', 'late@120'])
    expect(clock.now()).toBe(120)
  })

  it('runs at its own time what a timer schedules on the way', async () => {
    const clock = new VirtualClock(0)
    const ran: number[] = []
    const tick = (): void => {
      ran.push(clock.now())
      clock.schedule(10, tick)
    }
    clock.schedule(10, tick)
    await clock.advanceTo(35)
    expect(ran).toEqual([10, 20, 30])
  })

  it('lets promises and immediates settle before the next timer runs', async () => {
    const clock = new VirtualClock(0)
    const ran: string[] = []
    clock.schedule(1, async () => {
      await Promise.resolve()
      await nextImmediate()
      ran.push(`settled@${clock.now()}`)
      clock.schedule(0, () => ran.push(`followed@${clock.now()}`))
    })
    clock.schedule(2, () => ran.push('next'))
    await clock.advanceTo(2)
    expect(ran).toEqual(['settled@1', 'followed@1', 'next'])
  })

  it('does not run what was canceled', async () => {
    const clock = new VirtualClock(0)
    const fired = vi.fn()
    const cancel = clock.schedule(1, fired)
    cancel()
    cancel()
    await clock.advanceTo(5)
    expect(fired).not.toHaveBeenCalled()
  })

  it('refuses to go back, and to advance twice at a time', async () => {
    const clock = new VirtualClock(10)
    await expect(clock.advanceTo(9)).rejects.toThrow('A clock cannot go back from 10 to 9.')
    const advance = clock.advanceTo(11)
    await expect(clock.advanceTo(12)).rejects.toThrow(/already advancing/)
    await advance
    expect(clock.now()).toBe(11)
  })

  it('passes on what a callback throws, and can advance again', async () => {
    const clock = new VirtualClock(0)
    clock.schedule(1, () => {
      throw new Error('broken')
    })
    await expect(clock.advanceTo(2)).rejects.toThrow('broken')
    await clock.advanceTo(2)
    expect(clock.now()).toBe(2)
  })
})
