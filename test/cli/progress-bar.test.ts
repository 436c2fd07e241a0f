import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { progressBar } from '../../src/cli/progress-bar.ts'
import { heardStream } from './heard-stream.ts'

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

describe('progressBar', () => {
  it('shows nothing while the work is quick', async () => {
    const progress = await progressBar(stream(true), 1000)
    vi.advanceTimersByTime(299)
    progress.update(500)
    progress.stop()
    expect(written).toBe('')
  })

  it('appears once the work has lasted 300 ms', async () => {
    const progress = await progressBar(stream(true), 1000)
    vi.advanceTimersByTime(300)
    progress.update(250)
    expect(written).toContain('25% of 1000 klines')
    progress.stop()
  })

  it.each([
    [100_000, 500, '0% of 100000 klines, 250/s, 6m 38s left'],
    [100_000, 99_000, '99% of 100000 klines, 49500/s, 1s left'],
    [100_000, 10, '5/s, 5h 33m left'],
    [10, 0, '0/s, - left'],
  ])(
    'shows rate and time left where that is asked for: of %i klines, %i in 2 s',
    async (total, done, text) => {
      const progress = await progressBar(stream(true), total, { showsRate: true })
      vi.advanceTimersByTime(2000)
      progress.update(done)
      expect(written).toContain(text)
      progress.stop()
    },
  )

  it('writes nothing where no person looks', async () => {
    const progress = await progressBar(stream(false), 1000)
    vi.advanceTimersByTime(5000)
    progress.update(500)
    progress.stop()
    expect(written).toBe('')
  })
})
