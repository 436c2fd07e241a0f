import { describe, expect, it } from 'vitest'
import type { Interval } from '../../../src/domain/market-data/interval.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { type KlineCall, readKlines } from '../../../src/market/polls/kline-call.ts'
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
async function read(interval: Interval, limit: number, hours: readonly Kline[]) {
  const asked: Parameters<KlineCall>[0][] = []
  const klines = await readKlines(
    async query => {
      asked.push(query)
      return hours.slice(-query.limit)
    },
    { symbol: 'A/B', interval, limit },
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
})
