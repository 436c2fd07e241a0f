import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { closeTimeOf, type Interval, intervalMs } from '../../../src/domain/market-data/interval.ts'
import { KlineMerge } from '../../../src/domain/market-data/kline-merge.ts'
import { klinesIn } from '../../../src/klines/kline-columns.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { QUIET } from '../kline-table.ts'
import { klinesAt, marketOf, several } from './several.ts'

const INTERVALS: readonly Interval[] = ['1m', '5m', '15m', '1h']
const WAIT = 1

interface Stream {
  readonly symbol: string
  readonly interval: Interval
  readonly start: number
  readonly length: number
  readonly absent: number[]
}

const stream: fc.Arbitrary<Stream> = fc
  .record({
    symbol: fc.constantFrom('A', 'B', 'C'),
    interval: fc.constantFrom(...INTERVALS),
    offset: fc.nat({ max: 5 }),
    length: fc.integer({ min: 1, max: 25 }),
    absent: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 4 }),
  })
  .map(({ offset, ...rest }) => ({ ...rest, start: offset * intervalMs(rest.interval) }))
const streams = fc.uniqueArray(stream, {
  minLength: 2,
  maxLength: 5,
  selector: ({ symbol, interval }) => `${symbol} ${interval}`,
})

const klinesOfStream = ({ length, ...settings }: Stream) =>
  klinesAt(
    Array.from({ length }, () => QUIET),
    settings,
  )

/** What a live bot shows: klines come when they close, in any order, and are merged. */
function liveOrder(list: readonly Stream[]): string[] {
  const shown: string[] = []
  const merge = new KlineMerge(
    list.map(({ interval, start }) => ({ interval, after: start - intervalMs(interval) })),
    { waitMs: WAIT },
  )
  const arrivals = list.flatMap((one, rank) =>
    klinesIn(klinesOfStream(one)).map(kline => ({
      rank,
      kline,
      at: closeTimeOf(kline.openTime, one.interval),
    })),
  )
  const moments = Map.groupBy(
    // Those of one moment come the wrong way round.
    arrivals.sort((left, right) => left.at - right.at || right.rank - left.rank),
    ({ at }) => at,
  )
  const take = (now: number) => {
    for (const { rank, kline } of merge.take(now)) shown.push(`${rank} ${kline.openTime}`)
  }
  for (const [at, arrived] of moments) {
    for (const { rank, kline } of arrived) merge.offer(rank, kline, at)
    take(at + WAIT)
  }
  take(Number.POSITIVE_INFINITY)
  return shown
}

/** What a backtest shows, to strategies that trade (so that orders rest) or do not. */
function backtestOrder(list: readonly Stream[], trades: boolean): string[] {
  const shown: string[] = []
  const markets = list.map((one, rank) => {
    const strategy = defineStrategy({
      name: `s${rank}`,
      onKline({ openTime }, { position }) {
        shown.push(`${rank} ${openTime}`)
        if (!trades) return undefined
        return position.direction === 'flat' ? enterLong() : exit()
      },
    })
    const instrument = { ...MARGIN, symbol: `${one.symbol}/USDT`, base: one.symbol }
    return marketOf(strategy, klinesOfStream(one), { instrument, interval: one.interval })
  })
  runBacktest(several(markets))
  return shown
}

describe('klines of several symbols and intervals', () => {
  it('are shown in a backtest in the order in which a live bot shows them', () => {
    fc.assert(
      fc.property(streams, fc.boolean(), (list, trades) => {
        expect(backtestOrder(list, trades)).toEqual(liveOrder(list))
      }),
    )
  })

  it('that close together are shown longer interval first, then as declared', () => {
    const minutes = { interval: '1m', start: 4 * 60_000, length: 1, absent: [] } as const
    const list: Stream[] = [
      { symbol: 'A', ...minutes, absent: [] },
      { symbol: 'B', ...minutes, absent: [] },
      { symbol: 'B', interval: '5m', start: 0, length: 1, absent: [] },
    ]
    expect(backtestOrder(list, false)).toEqual(['2 0', '0 240000', '1 240000'])
  })

  it('of one stream are shown to all who follow it before those of the next stream', () => {
    const shown: string[] = []
    const watcher = (name: string) =>
      defineStrategy({
        name,
        onKline() {
          shown.push(name)
          return undefined
        },
      })
    const klines = klinesAt([QUIET])
    const other = { ...MARGIN, symbol: 'ETH/USDT', base: 'ETH' }
    runBacktest(
      several([
        marketOf(watcher('first'), klines),
        marketOf(watcher('between'), klines, { instrument: other }),
        marketOf(watcher('second'), klines),
      ]),
    )
    expect(shown).toEqual(['first', 'second', 'between'])
  })
})
