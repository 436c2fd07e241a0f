import { describe, expect, it } from 'vitest'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { earliestKline } from '../../../src/klines/download/earliest-kline.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 10, 23)

interface Host {
  /** Open time of its first kline. */
  readonly first: number
  /** True if it ignores times, and always gives its latest 300. */
  readonly ignoresTimes?: boolean
  /** False for a minute without a kline. */
  isTraded?(time: number): boolean
}

/** Answers like an exchange, at most 300 klines, the latest of the span. */
function host({ first, ignoresTimes = false, isTraded = () => true }: Host) {
  const asked: number[] = []
  return {
    asked,
    page: async (from: number, to: number): Promise<readonly Kline[]> => {
      asked.push(from)
      const [start, end] = ignoresTimes ? [first, NOW - MINUTE] : [Math.max(from, first), to]
      const klines: Kline[] = []
      for (let time = Math.floor(end / MINUTE) * MINUTE; time >= start && klines.length < 300; time -= MINUTE)
        if (isTraded(time)) klines.unshift({ openTime: time, open: 1, high: 1, low: 1, close: 1, volume: 0 })
      return klines
    },
  }
}

describe('earliestKline', () => {
  it.each([
    Date.UTC(2026, 10, 22, 23, 59),
    Date.UTC(2026, 10, 22, 19, 0),
    Date.UTC(2026, 10, 22, 18, 59),
    Date.UTC(2025, 4, 6, 7, 8),
    Date.UTC(2017, 7, 17, 4),
  ])('finds the first kline of a host, with few calls', async first => {
    const { page, asked } = host({ first })
    expect(await earliestKline({ interval: '1m', to: NOW, page })).toBe(first)
    expect(asked.length).toBeLessThan(40)
  })

  it('finds it although some minutes have no klines', async () => {
    const first = Date.UTC(2025, 4, 6, 7, 8)
    const { page } = host({ first, isTraded: time => time === first || (time / MINUTE) % 200 === 0 })
    expect(await earliestKline({ interval: '1m', to: NOW, page })).toBe(first)
  })

  it('takes the latest klines of a host that ignores times', async () => {
    const { page } = host({ first: Date.UTC(2020, 0, 1), ignoresTimes: true })
    expect(await earliestKline({ interval: '1m', to: NOW, page })).toBe(NOW - 300 * MINUTE)
  })

  it('finds nothing where there is none', async () => {
    const { page } = host({ first: NOW })
    expect(await earliestKline({ interval: '1m', to: NOW, page })).toBeUndefined()
  })
})
