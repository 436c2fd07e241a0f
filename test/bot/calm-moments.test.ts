import { constants, PerformanceObserver } from 'node:perf_hooks'
import { describe, expect, it, vi } from 'vitest'
import { isCalm } from '../../src/bot/calm-moments.ts'
import { youngGarbageCollector } from '../../src/bot/young-garbage.ts'
import { MINUTE, START } from '../simulator/exchange-caller.ts'
import { BotSession } from './bot-session.ts'
import { flipper } from './test-strategies.ts'

describe('a calm moment', () => {
  it.each([
    [0, false],
    [2999, false],
    [3000, true],
    [59_799, true],
    [59_800, false],
  ])('%i ms after a whole minute: %s', (since, expected) => {
    expect(isCalm(START + 5 * MINUTE + since)).toBe(expected)
  })

  it('is when a running bot frees memory, about once a second', async () => {
    const times: number[] = []
    const session: BotSession = new BotSession({
      strategy: flipper,
      collectGarbage: () => times.push(session.clock.now() % MINUTE),
    })
    await session.start()
    await session.run(2 * MINUTE)
    await session.leave(MINUTE)
    expect(times.length).toBeGreaterThan(100)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(3000)
    expect(Math.max(...times)).toBeLessThan(59_800)
  })

  it('is enough to free what is young, and not for every call, by a function that nobody else sees', async () => {
    const kinds: number[] = []
    const observer = new PerformanceObserver(list => {
      // What Node documents of entries of this type.
      const entries = list.getEntries() as readonly unknown[] as readonly { detail: { kind: number } }[]
      kinds.push(...entries.map(({ detail }) => detail.kind))
    })
    const collect = youngGarbageCollector()
    observer.observe({ entryTypes: ['gc'] })
    const time = vi.spyOn(performance, 'now').mockReturnValue(5000)
    collect()
    time.mockReturnValue(5099)
    collect()
    time.mockRestore()
    while (kinds.length === 0) await new Promise(resolve => setImmediate(resolve))
    observer.disconnect()
    await new Promise(resolve => setImmediate(resolve))
    expect(kinds).toEqual([constants.NODE_PERFORMANCE_GC_MINOR])
    expect('gc' in globalThis).toBe(false)
  })
})
