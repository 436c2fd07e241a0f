import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filter, firstValueFrom } from 'rxjs'
import { expect, it, vi } from 'vitest'
import { RunningComparison } from '../../src/compare/running-comparison.ts'
import { afterTest } from '../after-test.ts'

const EVERY_MS = 60_000

/** Counts the threads that the process starts, until the test ends. */
function startedThreads(): () => number {
  let count = 0
  const add = () => count++
  process.on('worker', add)
  afterTest(() => process.off('worker', add))
  return () => count
}

it('starts its thread for the first comparison, not with the bot', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  afterTest(() => vi.useRealTimers())
  const threads = startedThreads()
  const journal = join(tmpdir(), 'sluice-no-such.journal')
  const running = new RunningComparison({ journal, everyMs: EVERY_MS, slippageRate: 0, boundRate: 0.001 })
  await vi.advanceTimersByTimeAsync(EVERY_MS - 1)
  await new Promise(setImmediate) // Node tells of a thread on the next tick
  expect([threads(), running.latest]).toEqual([0, { type: 'waiting' }])
  const started = once(process, 'worker')
  await vi.advanceTimersByTimeAsync(1)
  await started
  const answer = firstValueFrom(running.updates$.pipe(filter(({ type }) => type !== 'waiting')))
  expect(await answer).toEqual({ type: 'failed', reason: expect.stringContaining(journal) })
  await running.close()
})

it('starts no thread once it is closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  afterTest(() => vi.useRealTimers())
  const threads = startedThreads()
  const running = new RunningComparison({ journal: '', everyMs: EVERY_MS, slippageRate: 0, boundRate: 0.001 })
  await running.close()
  await vi.advanceTimersByTimeAsync(2 * EVERY_MS)
  await new Promise(setImmediate)
  expect(threads()).toBe(0)
})
