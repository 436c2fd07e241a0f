import { describe, expect, it } from 'vitest'
import { Rehearsals, type RehearsalsOptions } from '../../../src/bot/rehearsal/rehearsals.ts'
import { VirtualClock } from '../../../src/bot/virtual-clock.ts'
import type { Clock } from '../../../src/domain/clock.ts'

const [SECOND, MINUTE] = [1000, 60_000]
const START = Date.UTC(2026, 0, 1, 12)

/** How long a round takes, ms; it begins twice as long before the call, and a little. */
const [TAKES, AHEAD] = [5, 12]

/** How long a round takes, and how late timers come, ms. */
interface Pace {
  readonly takesMs: () => number
  readonly lateMs: () => number
}

/** Rehearsals of a bot on spot at every minute, whose klines are asked for 500 ms after their close; what is played is only noted. */
function rehearsals(options: Partial<RehearsalsOptions> = {}, pace: Partial<Pace> = {}) {
  const { takesMs = () => TAKES, lateMs = () => 0 } = pace
  const clock = new VirtualClock(START)
  /** ms since the start. */
  const [made, readied, played]: [number[], number[], number[]] = [[], [], []]
  const warnings: unknown[] = []
  const since = (times: number[]) => times.push(clock.now() - START)
  const run = new Rehearsals({
    accounts: { spot: {} },
    intervals: ['1m'],
    klineDelayMs: 500,
    clock: late(clock, lateMs),
    log: { debug: () => {}, warn: (...said: unknown[]) => warnings.push(...said) },
    create: async () => {
      since(made)
      return {
        comeToClose: async () => void since(readied),
        playClose: () => {
          since(played)
          return new Promise<void>(resolve => clock.schedule(takesMs(), resolve))
        },
      }
    },
    ...options,
  })
  run.begin()
  const advanceTo = (ms: number) => clock.advanceTo(START + ms)
  return { run, clock, made, readied, played, warnings, advanceTo }
}

/** The same clock, whose timers come late. */
function late(clock: Clock, lateMs: () => number): Clock {
  return { now: () => clock.now(), schedule: (delayMs, act) => clock.schedule(delayMs + lateMs(), act) }
}

describe('Rehearsals', () => {
  it('plays many times at first, while no kline closes', async () => {
    const { played, advanceTo } = rehearsals()
    await advanceTo(2.9 * SECOND)
    expect(played).toEqual([])
    await advanceTo(30 * SECOND)
    expect(played).toHaveLength(500)
    expect(played.every((at, index) => index === 0 || at - (played[index - 1] ?? 0) >= 5)).toBe(true)
  })

  it('makes ready in time, and plays right before each call for klines', async () => {
    const { readied, played, advanceTo } = rehearsals()
    await advanceTo(30 * SECOND)
    readied.length = played.length = 0
    await advanceTo(3.5 * MINUTE)
    const calls = [1, 2, 3].map(minute => minute * MINUTE + 500)
    expect(readied).toEqual(calls.map(call => call - 2 * SECOND))
    expect(played).toEqual(calls.map(call => call - AHEAD))
  })

  it.each([
    { intervals: ['5m', '15m'] as const, minutes: [5, 10, 15] },
    { intervals: ['1h', '15m'] as const, minutes: [15, 30, 45, 60] },
    { intervals: ['1h'] as const, minutes: [60] },
  ])('plays before the closes of $intervals', async ({ intervals, minutes }) => {
    const { played, advanceTo } = rehearsals({ intervals })
    await advanceTo(30 * SECOND)
    played.length = 0
    await advanceTo(((minutes.at(-1) ?? 0) + 1) * MINUTE)
    expect(played).toEqual(minutes.map(minute => minute * MINUTE + 500 - AHEAD))
  })

  it('begins earlier for a while where it took longer, but never before it is ready', async () => {
    let takes = TAKES
    const { played, advanceTo } = rehearsals({}, { takesMs: () => takes })
    await advanceTo(30 * SECOND)
    played.length = 0
    takes = 20
    await advanceTo(1.5 * MINUTE)
    takes = 800
    await advanceTo(2.5 * MINUTE)
    takes = TAKES
    await advanceTo(3.5 * MINUTE)
    await advanceTo(70.5 * MINUTE)
    const ahead = played.map((at, index) => (index + 1) * MINUTE + 500 - at)
    expect(ahead.slice(0, 4)).toEqual([AHEAD, 42, 1000, 1000])
    expect(ahead.slice(4).every((ms, index) => ms <= (ahead[index + 3] ?? 0))).toBe(true)
    expect(ahead.at(-1)).toBe(AHEAD)
  })

  it.each([
    { by: AHEAD - TAKES - 1, plays: 1 },
    { by: AHEAD - TAKES, plays: 0 },
    { by: AHEAD + 1, plays: 0 },
  ])('plays only what is over by then: $plays times where it is $by ms late', async ({ by, plays }) => {
    let lateMs = 0
    const { played, advanceTo } = rehearsals({}, { lateMs: () => lateMs })
    await advanceTo(30 * SECOND)
    played.length = 0
    lateMs = by
    await advanceTo(MINUTE)
    await advanceTo(1.5 * MINUTE)
    expect(played).toHaveLength(plays)
  })

  it('plays with another bot once one has played for long', async () => {
    const { made, advanceTo } = rehearsals()
    await advanceTo(30 * SECOND)
    expect(made).toHaveLength(1)
    await advanceTo(1.5 * MINUTE)
    expect(made).toHaveLength(2)
    await advanceTo(499.5 * MINUTE)
    expect(made).toHaveLength(2)
    await advanceTo(501.5 * MINUTE)
    expect(made).toHaveLength(3)
  })

  it('plays no more once it is ended', async () => {
    const { run, readied, played, advanceTo } = rehearsals()
    await advanceTo(90 * SECOND)
    run.end()
    const counts = [readied.length, played.length]
    await advanceTo(10 * MINUTE)
    expect([readied.length, played.length]).toEqual(counts)
  })

  it('ends, and says so once, when something goes wrong with it', async () => {
    let rounds = 0
    const error = new Error('out of luck')
    const playClose = async () => {
      rounds++
      if (rounds === 3) throw error
    }
    const { warnings, advanceTo } = rehearsals({
      create: async () => ({ comeToClose: async () => {}, playClose }),
    })
    await advanceTo(10 * MINUTE)
    expect(rounds).toBe(3)
    expect(warnings).toEqual([{ err: error }, expect.stringContaining('not rehearsed any more')])
  })

  it('ends where it cannot even begin', async () => {
    const { warnings, advanceTo } = rehearsals({ create: () => Promise.reject(new Error('no room')) })
    await advanceTo(10 * MINUTE)
    expect(warnings).toHaveLength(2)
  })
})
