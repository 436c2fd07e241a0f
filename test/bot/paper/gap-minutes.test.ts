import { expect, test } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { GapMinutes } from '../../../src/bot/paper/gap-minutes.ts'
import type { PublicClient } from '../../../src/exchange/public-client.ts'

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
