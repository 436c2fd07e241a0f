import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TrialProgress } from '../../../src/cli/research/trial-progress.ts'
import { heardStream } from '../heard-stream.ts'

let written = ''

const stream = (isTTY: boolean) =>
  heardStream(isTTY, text => {
    written += text
  })

beforeEach(() => {
  written = ''
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the progress of a search', () => {
  it('measures the time that is left from the first trial on, not from the start-up', async () => {
    const progress = new TrialProgress(stream(false), 101)
    await progress.start()
    vi.advanceTimersByTime(30_000) // threads start
    for (let trial = 0; trial < 15; trial++) progress.add() // at once, as those that a study has
    expect(written).toBe('')
    vi.advanceTimersByTime(7000)
    for (let trial = 0; trial < 6; trial++) progress.add()
    // 15 trials, the first of them at 30 s, and one more after 7 s: 15 more in 7 s, so that 85 take 39.7 s.
    expect(written).toBe('Ran 16 of 101 trials (15%), about 40 s left …\n')
  })

  it('does so on a terminal as well', async () => {
    const progress = new TrialProgress(stream(true), 101)
    await progress.start()
    vi.advanceTimersByTime(30_000)
    progress.add()
    vi.advanceTimersByTime(1000)
    progress.add()
    vi.advanceTimersByTime(1000)
    progress.add()
    progress.stop()
    expect(written).toContain('1/s, 1m 38s left') // 98 are left, of one a second
  })
})
