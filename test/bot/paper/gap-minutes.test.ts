import { expect, test } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { GapMinutes } from '../../../src/bot/paper/gap-minutes.ts'
import type { PublicClient } from '../../../src/exchange/public-client.ts'
import type { ToldMinute } from '../../../src/matching/told-market.ts'

test('a gap on a host without klines of a minute is told at once, with none, and nothing is asked of the host', async () => {
  const clock = new VirtualClock(0)
  const told: unknown[] = []
  const asked: unknown[] = []
  const calls = { allKlines: (query: unknown) => asked.push(query) }
  const upstream = { serverNow: () => clock.now(), spot: calls, futures: calls } as unknown as PublicClient
  const gaps = new GapMinutes({
    ...{ upstream, clock },
    hasMinutes: ({ market }) => market === 'spot',
    onMinutes: ({ symbol }, minutes) => told.push([symbol, minutes]),
  })
  const span = { from: 10_000, until: 20_000, reason: 'Away.' }
  gaps.judge({ ...span, market: 'futures', symbol: 'E-A-B' })
  gaps.judge({ ...span, market: 'spot', symbol: 'A/B' })
  expect(told).toEqual([['E-A-B', []]])
  await clock.advanceTo(70_000)
  gaps.stop()
  expect(asked).toEqual([{ symbol: 'A/B', interval: '1m', from: 0, to: 20_000 }])
})

test('an impossible minute judges nothing: one trade at price 0 fills no bid', async () => {
  const clock = new VirtualClock(0)
  const told: (readonly ToldMinute[])[] = []
  const minute = { openTime: 0, open: 100, high: 101, low: 99, close: 100, volume: 5 }
  const sound = { ...minute, openTime: 60_000 }
  const spot = {
    async *allKlines() {
      yield* [{ ...minute, low: 0 }, sound]
    },
  }
  const upstream = { serverNow: () => clock.now(), spot, futures: spot } as unknown as PublicClient
  const gaps = new GapMinutes({
    ...{ upstream, clock, hasMinutes: () => true },
    onMinutes: (_gap, minutes) => told.push(minutes),
  })
  gaps.judge({ from: 10_000, until: 70_000, reason: 'Away.', market: 'spot', symbol: 'A/B' })
  await clock.advanceTo(130_000)
  expect(told).toEqual([[sound]])
})
