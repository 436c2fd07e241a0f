import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closeTimeOf, type Interval, intervalMs } from '../../../src/domain/market-data/interval.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { KlineMerge, type MergedKline } from '../../../src/domain/market-data/kline-merge.ts'
import { compareKlineCloses } from '../../../src/domain/market-data/kline-order.ts'

const MINUTE = 60_000
const klineAt = (openTime: number): Kline => ({ openTime, open: 1, high: 1, low: 1, close: 1, volume: 1 })
const minute = (number: number) => klineAt(number * MINUTE)

/** `rank@minute of the open`, in the order in which they are shown. */
const said = (shown: readonly MergedKline[]) =>
  shown.map(({ rank, kline }) => `${rank}@${kline.openTime / MINUTE}`)

/** Two streams of minutes, and one of five minutes; all have seen what closed by minute 5. */
const three = (waitMs: number) =>
  new KlineMerge(
    [
      { interval: '1m', after: 4 * MINUTE },
      { interval: '1m', after: 4 * MINUTE },
      { interval: '5m', after: 0 },
    ],
    { waitMs },
  )

describe('KlineMerge', () => {
  it('shows klines that close together in the declared order, whichever comes first', () => {
    const merge = three(1000)
    merge.offer(1, minute(5), 10)
    expect(said(merge.take(10))).toEqual([])
    merge.offer(0, minute(5), 20)
    expect(said(merge.take(20))).toEqual(['0@5', '1@5'])
  })

  it('waits for a longer kline only where one closes then, and shows it first', () => {
    const merge = three(1000)
    for (const number of [5, 6, 7, 8]) {
      merge.offer(0, minute(number), number)
      merge.offer(1, minute(number), number)
    }
    expect(said(merge.take(8))).toEqual(['0@5', '1@5', '0@6', '1@6', '0@7', '1@7', '0@8', '1@8'])
    merge.offer(0, minute(9), 9)
    merge.offer(1, minute(9), 9)
    expect(said(merge.take(9))).toEqual([])
    merge.offer(2, minute(5), 10)
    expect(said(merge.take(10))).toEqual(['2@5', '0@9', '1@9'])
  })

  it('waits for a slower symbol until its time is over, not 1 ms longer', () => {
    const merge = three(1000)
    merge.offer(1, minute(5), 10)
    expect(said(merge.take(1009))).toEqual([])
    expect(said(merge.take(1010))).toEqual(['1@5'])
  })

  it('shows what comes too late at once, and waits for that stream again once it has caught up', () => {
    const merge = three(1000)
    merge.offer(1, minute(5), 0)
    merge.take(1000)
    merge.offer(1, minute(6), 60_000)
    expect(said(merge.take(60_000))).toEqual(['1@6'])
    merge.offer(0, minute(5), 61_000)
    expect(said(merge.take(61_000))).toEqual(['0@5'])
    merge.offer(0, minute(6), 62_000)
    expect(said(merge.take(62_000))).toEqual(['0@6'])
    merge.offer(1, minute(7), 120_000)
    expect(said(merge.take(120_000))).toEqual([])
    merge.offer(0, minute(7), 120_001)
    expect(said(merge.take(120_001))).toEqual(['0@7', '1@7'])
  })

  it('does not wait for a kline whose successor has come', () => {
    const merge = three(1000)
    merge.offer(1, minute(5), 0)
    merge.offer(0, minute(6), 0)
    expect(said(merge.take(0))).toEqual(['1@5', '0@6'])
  })

  it('ignores streams that were not declared', () => {
    const merge = three(0)
    merge.offer(3, minute(5), 0)
    expect(merge.take(0)).toEqual([])
  })

  it('brings any arrival into the one order of a backtest, where nobody runs out of patience', () => {
    const intervals: readonly Interval[] = ['1m', '5m', '1m', '15m']
    const closes = intervals.flatMap((interval, rank) =>
      Array.from({ length: (30 * MINUTE) / intervalMs(interval) }, (_, index) => {
        const openTime = index * intervalMs(interval)
        return { rank, interval, openTime, closeTime: closeTimeOf(openTime, interval) }
      }),
    )
    const expected = closes.toSorted(compareKlineCloses).map(({ rank, openTime }) => ({ rank, openTime }))
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat({ max: intervals.length - 1 })), picks => {
        const streams = intervals.map(interval => ({ interval, after: -intervalMs(interval) }))
        const merge = new KlineMerge(streams, { waitMs: Number.POSITIVE_INFINITY })
        const queues = intervals.map((_, rank) => closes.filter(close => close.rank === rank))
        const shown: MergedKline[] = []
        for (let now = 0; queues.some(({ length }) => length > 0); now++) {
          const next = queues[picks.next().value ?? 0]?.shift()
          if (next !== undefined) merge.offer(next.rank, klineAt(next.openTime), now)
          shown.push(...merge.take(now))
        }
        // The streams end together, so the last kline waits for nobody.
        expect(shown.map(({ rank, kline }) => ({ rank, openTime: kline.openTime }))).toEqual(expected)
      }),
    )
  })
})
