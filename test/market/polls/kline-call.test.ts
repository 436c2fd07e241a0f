import { describe, expect, it } from 'vitest'
import { INTERVALS, type Interval, intervalMs } from '../../../src/domain/market-data/interval.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { offeredPartOf } from '../../../src/exchange/spot/spot-interval.ts'
import { type KlineCall, mostKlines, readKlines } from '../../../src/market/polls/kline-call.ts'
import { START } from '../../simulator/exchange-caller.ts'

const HOUR = 3_600_000
/** The hour that opens so many hours after midnight. */
const hour = (number: number): Kline => ({
  openTime: START + number * HOUR,
  open: 100 + number,
  high: 200 + number,
  low: 50 - number,
  close: 101 + number,
  volume: number,
})

/** Reads from a market with these hours, newest `limit` of them; tells what was asked for. */
async function read(
  interval: Interval,
  limit: number,
  hours: readonly Kline[],
  part = offeredPartOf(interval),
) {
  const asked: Parameters<KlineCall>[0][] = []
  const klines = await readKlines(
    async query => {
      asked.push(query)
      return hours.slice(-query.limit)
    },
    { symbol: 'A/B', interval, part, limit },
  )
  return { klines, asked }
}

describe('readKlines', () => {
  it('asks for days, weeks and months by UTC, and for the rest as it is', async () => {
    for (const [interval, more] of [
      ['1m', {}],
      ['1h', {}],
      ['1d', { timezone: 'UTC+00' }],
      ['1w', { timezone: 'UTC+00' }],
      ['1M', { timezone: 'UTC+00' }],
    ] as const) {
      const { asked } = await read(interval, 5, [])
      expect(asked).toEqual([{ symbol: 'A/B', interval, limit: 5, ...more }])
    }
  })

  it('makes four hours of hours: the first open, the last close, the extremes, and all that was traded', async () => {
    const { klines, asked } = await read('4h', 2, [0, 1, 2, 3, 4, 5].map(hour))
    expect(asked).toEqual([{ symbol: 'A/B', interval: '1h', limit: 8 }])
    expect(klines).toEqual([
      { openTime: START, open: 100, high: 203, low: 47, close: 104, volume: 6 },
      { openTime: START + 4 * HOUR, open: 104, high: 205, low: 45, close: 106, volume: 9 },
    ])
  })

  it('leaves out the oldest four hours where the answer has only their end', async () => {
    const { klines } = await read('4h', 2, [2, 3, 4, 5, 6, 7, 8, 9].map(hour))
    expect(klines.map(({ openTime }) => (openTime - START) / HOUR)).toEqual([4, 8])
  })

  it('keeps four hours whose first hour saw no trade, where the answer is not cut off', async () => {
    const { klines } = await read('4h', 2, [2, 3, 4].map(hour))
    expect(klines.map(({ openTime, open }) => [(openTime - START) / HOUR, open])).toEqual([
      [0, 102],
      [4, 104],
    ])
  })

  it.each([
    ['3m', '1m', 3],
    ['2h', '1h', 2],
    ['6h', '1h', 6],
    ['8h', '1h', 8],
    ['12h', '1h', 12],
    ['3d', '1d', 3],
  ] as const)('makes klines of %s of %s', async (interval, part, count) => {
    const length = intervalMs(part)
    // 6 January 2024 is 19,728 days, 6576 times three, after 1 January 1970.
    const begin = Date.UTC(2024, 0, 6)
    const parts = Array.from({ length: 5 * count + 1 }, (_, index) => {
      const [open, close] = [100 + ((index * 37) % 11), 100 + (((index + 1) * 37) % 11)]
      return {
        openTime: begin + index * length,
        open,
        high: 120 + (index % 7),
        low: 80 - (index % 5),
        close,
        volume: 0.1 * index,
      }
    })
    const asked: Parameters<KlineCall>[0][] = []
    const klines = await readKlines(
      async query => {
        asked.push(query)
        return parts.slice(-query.limit)
      },
      { symbol: 'A/B', interval, part, limit: 6 },
    )
    const zone = part === '1d' ? { timezone: 'UTC+00' } : {}
    expect(asked).toEqual([{ symbol: 'A/B', interval: part, limit: 6 * count, ...zone }])
    const expected = []
    for (let first = 0; first < parts.length; first += count) {
      const [head, ...others] = parts.slice(first, first + count)
      if (head === undefined) break
      const whole = { ...head }
      for (const { high, low, close, volume } of others) {
        if (high > whole.high) whole.high = high
        if (low < whole.low) whole.low = low
        whole.close = close
        whole.volume += volume
      }
      expected.push({ ...whole, volume: expect.closeTo(whole.volume, 9) })
    }
    expect(expected).toHaveLength(6)
    expect(klines).toEqual(expected)
  })

  it('makes a month of days, also of the 31 of the longest', async () => {
    const january = Date.UTC(2024, 0)
    const days = Array.from({ length: 31 }, (_, day) => ({
      ...hour(day),
      openTime: january + day * 24 * HOUR,
      volume: 1,
    }))
    const { klines, asked } = await read('1M', 1, days, '1d')
    expect(asked).toEqual([{ symbol: 'A/B', interval: '1d', limit: 31, timezone: 'UTC+00' }])
    expect(klines).toEqual([{ openTime: january, open: 100, high: 230, low: 20, close: 131, volume: 31 }])
  })

  it('asks for no more parts than an answer holds', () => {
    const most = (lacks: readonly Interval[]) =>
      INTERVALS.map(interval => mostKlines({ interval, part: offeredPartOf(interval, lacks) }))
    expect(most([])).toEqual([300, 100, 300, 300, 300, 300, 150, 75, 50, 37, 25, 300, 100, 300, 300])
    // 300 half hours are 150 hours, 18 times 8 hours, 12 half days.
    expect(most(['1h'])).toEqual([300, 100, 300, 300, 300, 150, 75, 37, 25, 18, 12, 300, 100, 300, 300])
    // 300 days are nine months of 31 days, and 42 weeks.
    expect(most(['1w', '1M']).slice(-2)).toEqual([42, 9])
  })
})
