import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intervalMs } from '../../../src/domain/market-data/interval.ts'
import { IncompleteRangeError } from '../../../src/exchange/ranges/incomplete-range-error.ts'
import { rejectionOf } from '../call/scripted-exchange.ts'
import { entriesArbitrary, losesArbitrary } from './entries.ts'
import { allOf, type Entry, historyWorld, NOW, type Query } from './history-server.ts'
import { wireKline, wireOrder, wireTrade } from './wire-entries.ts'

const symbol = 'BTC/USDT'
const [HOUR, DAY] = [3_600_000, 86_400_000]

/** The newest entries of a window, as the exchange lists them; the window's end may be left out. */
function listed(entries: readonly Entry[], query: Query, isEndIncluded = true): readonly Entry[] {
  const [start, end] = [Number(query.startTime), Number(query.endTime)]
  expect(end - start).toBeLessThanOrEqual(7 * DAY)
  return entries
    .filter(({ time }) => time >= start && (isEndIncluded ? time <= end : time < end))
    .toReversed()
    .slice(0, Number(query.limit))
}

describe('allHistoryOrders', () => {
  it('yields every order once, oldest first, however many share a millisecond and whatever is lost on the way', async () => {
    await fc.assert(
      fc.asyncProperty(entriesArbitrary(99), losesArbitrary, async (entries, loses) => {
        const { client } = historyWorld(query => listed(entries, query).map(wireOrder), loses)
        const orders = await allOf(client.spot.allHistoryOrders({ symbol }))
        expect(orders.map(({ orderId }) => orderId)).toEqual(entries.map(({ id }) => String(id)))
      }),
      { numRuns: 60 },
    )
  })

  it('loses nothing to an exchange that leaves the end of a window out', async () => {
    await fc.assert(
      fc.asyncProperty(entriesArbitrary(30), async entries => {
        const { client } = historyWorld(query => listed(entries, query, false).map(wireOrder))
        const orders = await allOf(client.spot.allHistoryOrders({ symbol }))
        expect(orders.map(({ orderId }) => orderId)).toEqual(entries.map(({ id }) => String(id)))
      }),
      { numRuns: 60 },
    )
  })

  it('loses nothing that happened in the very last millisecond of a window', async () => {
    const from = NOW - 30 * DAY
    const entries = [7, 14, 21, 28].map(days => ({ id: BigInt(days), time: from + days * DAY }))
    for (const isEndIncluded of [true, false]) {
      const { client } = historyWorld(query => listed(entries, query, isEndIncluded).map(wireOrder))
      const orders = await allOf(client.spot.allHistoryOrders({ symbol, from }))
      expect(orders.map(({ orderId }) => orderId)).toEqual(['7', '14', '21', '28'])
    }
  })

  it('ends with what was there at its beginning', async () => {
    const entries = Array.from({ length: 250 }, (_, index) => ({
      id: BigInt(index),
      time: NOW - 250 + index,
    }))
    const { client } = historyWorld(query => {
      const answer = listed(entries, query).map(wireOrder)
      entries.push({ id: BigInt(entries.length), time: NOW + entries.length })
      return answer
    })
    expect(await allOf(client.spot.allHistoryOrders({ symbol }))).toHaveLength(250)
  })

  it('goes on from any order that was the last one had', async () => {
    await fc.assert(
      fc.asyncProperty(entriesArbitrary(60), fc.nat(), async (entries, pick) => {
        fc.pre(entries.length > 0)
        const last = entries[pick % entries.length]
        if (last === undefined) return
        const { client } = historyWorld(query => listed(entries, query).map(wireOrder))
        const orders = await allOf(client.spot.allHistoryOrders({ symbol, from: last.time }))
        const rest = entries.filter(({ time }) => time >= last.time)
        expect(orders.map(({ orderId }) => orderId)).toEqual(rest.map(({ id }) => String(id)))
      }),
      { numRuns: 30 },
    )
  })

  it('says so where one millisecond holds more than an answer, after everything before it', async () => {
    const crowd = Array.from({ length: 100 }, (_, index) => ({ id: BigInt(index + 1), time: NOW - 5000 }))
    const entries = [{ id: 0n, time: NOW - 6000 }, ...crowd]
    const { client } = historyWorld(query => listed(entries, query).map(wireOrder))
    const had: string[] = []
    const error = await rejectionOf(
      (async () => {
        for await (const { orderId } of client.spot.allHistoryOrders({ symbol })) had.push(orderId)
      })(),
    )
    expect(error).toBeInstanceOf(IncompleteRangeError)
    expect(error).toMatchObject({ message: expect.stringContaining(String(NOW - 5000)) })
    expect(had).toEqual(['0'])
  })

  it('begins six calendar months ago, or where that day is missing just after', async () => {
    const { client, queries } = historyWorld(() => [])
    await allOf(client.spot.allHistoryOrders())
    const margin = 5 * 60_000
    expect(queries[0]).toEqual({
      limit: '100',
      startTime: String(Date.UTC(2024, 2, 2, 12) + margin),
      endTime: String(Date.UTC(2024, 2, 9, 12) + margin),
    })
    expect(Number(queries.at(-1)?.endTime)).toBe(NOW)
  })

  it('refuses to end before it begins', async () => {
    const { client } = historyWorld(() => [])
    const range = client.spot.allHistoryOrders({ symbol, from: NOW, to: NOW - 1 })
    expect(await rejectionOf(allOf(range))).toMatchObject({ code: 'USAGE' })
  })
})

describe('allHistoryTrades', () => {
  it('keeps both sides of a trade with oneself, and equal ids of two pairs apart', async () => {
    const time = NOW - 1000
    const trades = [
      wireTrade({ id: 7n, time }),
      wireTrade({ id: 7n, time }, false),
      { ...wireTrade({ id: 7n, time }), symbol: 'ETH/USDT' },
    ].map(trade => ({ ...trade, symbol: trade.symbol === 'BTCUSDT' ? symbol : trade.symbol }))
    const { client } = historyWorld(({ startTime, endTime }) =>
      time >= Number(startTime) && time <= Number(endTime) ? trades : [],
    )
    const read = await allOf(client.spot.allHistoryTrades({ from: NOW - 20 * DAY }))
    expect(read.map(({ symbol, orderId }) => `${symbol} ${orderId}`)).toEqual([
      'BTC/USDT 1',
      'BTC/USDT 2',
      'ETH/USDT 1',
    ])
  })
})

/** What a market's klines are read from: the newest of a window, the oldest of it, or the newest before its end. */
const KLINE_SERVERS = {
  'the newest': (times: readonly number[], { startTime, endTime, limit }: Query) =>
    times.filter(time => time >= Number(startTime) && time <= Number(endTime)).slice(-Number(limit)),
  'the oldest': (times: readonly number[], { startTime, endTime, limit }: Query) =>
    times.filter(time => time >= Number(startTime) && time <= Number(endTime)).slice(0, Number(limit)),
  'the newest before its end': (times: readonly number[], { endTime, limit }: Query) =>
    times.filter(time => time <= Number(endTime)).slice(-Number(limit)),
}

describe('allKlines of spot', () => {
  for (const [which, pick] of Object.entries(KLINE_SERVERS)) {
    it(`yields every kline once, oldest first, from an exchange that gives ${which} of a window`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 5000 })), {
            maxLength: 1500,
            size: 'max',
          }),
          fc.integer({ min: 0, max: 400 * DAY }),
          async (gaps, before) => {
            let time = NOW - HOUR * (gaps.reduce((sum, gap) => sum + gap, 0) + 1)
            const from = time - before
            const times = gaps.map(gap => {
              time += gap * HOUR
              return time
            })
            const { client, queries } = historyWorld(query => pick(times, query).toReversed().map(wireKline))
            const klines = await allOf(client.spot.allKlines({ symbol, interval: '1h', from }))
            expect(klines.map(({ openTime }) => openTime)).toEqual(times)
            expect(queries.length).toBeLessThan(60 + gaps.filter(gap => gap > 1).length * 10)
          },
        ),
        { numRuns: 25 },
      )
    })
  }

  it('takes 300 a call where none is missing', async () => {
    const first = NOW - 3000 * HOUR
    const times = Array.from({ length: 3000 }, (_, index) => first + index * HOUR)
    const pick = KLINE_SERVERS['the newest']
    const { client, queries } = historyWorld(query => pick(times, query).map(wireKline))
    expect(
      await allOf(client.spot.allKlines({ symbol, interval: '1h', from: first, to: first + 2999 * HOUR })),
    ).toHaveLength(3000)
    expect(queries).toHaveLength(10)
  })
})

describe('allKlines of futures', () => {
  const contractName = 'E-BTC-USDT'
  const length = intervalMs('1h')
  const times = Array.from({ length: 1000 }, (_, index) => NOW - (1000 - index) * length)
  const latest = times.slice(-300)

  it('uses the latest 300 where they reach back far enough, without times', async () => {
    const { client, queries } = historyWorld(() => latest.map(wireKline))
    const from = latest[100] ?? 0
    const klines = await allOf(client.futures.allKlines({ contractName, interval: '1h', from }))
    expect(klines.map(({ openTime }) => openTime)).toEqual(latest.slice(100))
    expect(queries).toEqual([{ contractName, interval: '1h', limit: '300' }])
  })

  it('goes back further with times on a host that takes them', async () => {
    const { client } = historyWorld(query =>
      (query.startTime === undefined ? latest : KLINE_SERVERS['the newest'](times, query)).map(wireKline),
    )
    const klines = await allOf(
      client.futures.allKlines({ contractName, interval: '1h', from: NOW - 2000 * length }),
    )
    expect(klines.map(({ openTime }) => openTime)).toEqual(times)
  })

  it('says so on a host that takes none, instead of yielding less', async () => {
    const { client } = historyWorld(() => latest.map(wireKline))
    const range = client.futures.allKlines({ contractName, interval: '1h', from: NOW - 2000 * length })
    expect(await rejectionOf(allOf(range))).toMatchObject({
      code: 'INCOMPLETE_RANGE',
      message: expect.stringContaining(String(latest[0])),
    })
  })
})
