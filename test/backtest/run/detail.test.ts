import { describe, expect, it } from 'vitest'
import type { DetailKlines } from '../../../backtest/fills/detail-klines.ts'
import { DEFAULT_FILL_SETTINGS, type FillSettings } from '../../../backtest/models/fill-settings.ts'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { columnsFrom } from '../../../src/klines/kline-columns.ts'
import { sliceRows } from '../../../src/klines/slice-klines.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { fillWords, klinesOf, QUIET, type Row } from '../kline-table.ts'

const FIVE = [QUIET, QUIET, QUIET, QUIET, QUIET]
/** The second of two klines of five minutes. */
const BOTH: Row = [100, 111, 94, 105]
const RISES_FIRST: readonly Row[] = [
  QUIET,
  [100, 111, 100, 104],
  [104, 104, 94, 95],
  [95, 105, 95, 105],
  [105, 105, 105, 105],
]
const FALLS_FIRST: readonly Row[] = [
  QUIET,
  [100, 100, 94, 95],
  [95, 111, 95, 104],
  [104, 105, 104, 105],
  [105, 105, 105, 105],
]

const bracket = enterLong({ stopLoss: 95, takeProfit: 110 })

/** Plays two klines of five minutes, of which the finer ones of the second are given; the signal comes at the first close. */
function playedWith(
  minutes: readonly Row[],
  signal: Signal = bracket,
  { fills, detail }: { fills?: Partial<FillSettings>; detail?: DetailKlines } = {},
): { result: BacktestResult; seen: readonly Kline[] } {
  const seen: Kline[] = []
  const strategy = defineStrategy({
    name: 'sees',
    onKline: kline => (seen.push(kline) === 1 ? signal : undefined),
  })
  const [first, second] = [klineOf(0, QUIET), klineOf(5, BOTH)]
  const result = runBacktest({
    klines: columnsFrom([first, second]),
    instrument: MARGIN,
    interval: '5m',
    strategy,
    parameters: {},
    balances: new Map([['USDT', amountOf('10000')]]),
    size: { base: 1 },
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, path: 'detail', ...fills },
    detail: detail ?? { klines: klinesOf([...FIVE, ...minutes]), interval: '1m' },
    sizingReference: 'decision',
    closeAtEnd: 'no',
  })
  return { result, seen }
}

function klineOf(minute: number, [open, high, low, close]: Row): Kline {
  return { openTime: minute * 60_000, open, high, low, close, volume: 5 }
}

describe('klines of a finer interval', () => {
  it('tell which of stop-loss and take-profit came first', () => {
    const rising = playedWith(RISES_FIRST).result
    expect(fillWords(rising)).toEqual(['5: buy 1 at 100 taker', '6: sell 1 at 110 taker'])
    expect(rising.ambiguousRoundTrips).toEqual([])
    expect(fillWords(playedWith(FALLS_FIRST).result)).toEqual([
      '5: buy 1 at 100 taker',
      '6: sell 1 at 95 taker',
    ])
  })

  it('tell when a trailing stop has started', () => {
    // Not before 110, and then 6 below: 104.
    const late = enterLong({ trailingStop: { distance: 6, activation: { fraction: 0.1 } } })
    expect(fillWords(playedWith(RISES_FIRST, late).result)[1]).toBe('6: sell 1 at 104 taker')
    expect(fillWords(playedWith(FALLS_FIRST, late).result)[1]).toBe('7: sell 1 at 104 taker')
    const [low, ...rest] = FALLS_FIRST
    expect(
      fillWords(playedWith([low as Row, [100, 109.99, 90, 95], ...rest.slice(2)], late).result),
    ).toHaveLength(1)
  })

  it('stay unseen by the strategy', () => {
    const { result, seen } = playedWith(RISES_FIRST)
    expect(seen.map(({ openTime, close }) => [openTime, close])).toEqual([
      [0, 100],
      [300_000, 105],
    ])
    expect([...result.equityTime]).toEqual([300_000, 600_000])
  })

  it('are pessimistic inside, and count as ambiguous what they leave open', () => {
    const minutes: Row[] = [QUIET, BOTH, ...RISES_FIRST.slice(2, 4), [105, 105, 105, 105]]
    const { result } = playedWith(minutes)
    expect(fillWords(result)[1]).toBe('6: sell 1 at 95 taker')
    expect(result.ambiguousRoundTrips).toEqual([0])
  })

  it('make a latency finer', () => {
    const { result } = playedWith(RISES_FIRST, enterLong(), { fills: { latencyMs: 90_000 } })
    expect(fillWords(result)).toEqual(['7: buy 1 at 104 taker'])
  })

  it('that are absent for one kline leave it to itself', () => {
    const klines = klinesOf([...FIVE, ...RISES_FIRST, QUIET])
    const withHole = columnsFrom([klineOf(0, QUIET), { ...klineOf(10, QUIET) }])
    const { result } = playedWith([], bracket, { detail: { klines: withHole, interval: '1m' } })
    expect(klines.length).toBe(11)
    expect(fillWords(result)[1]).toBe('5: sell 1 at 95 taker')
  })

  it('are refused where they are not finer, end too early, or are not asked for', () => {
    const minutes = klinesOf([...FIVE, ...RISES_FIRST])
    const detail = (klines: DetailKlines['klines'], interval: DetailKlines['interval']) => () =>
      playedWith([], bracket, { detail: { klines, interval } })
    expect(detail(minutes, '5m')).toThrow('Klines of 5m cannot tell what happens inside those of 5m')
    expect(detail(sliceRows(minutes, 0, 4), '1m')).toThrow(
      'must reach over all those of 5m, from 1970-01-01T00:00:00.000Z to 1970-01-01T00:10:00.000Z; get the missing ones, or shorten the backtest: --from 1970-01-01T00:00:00.000Z --to 1970-01-01T00:05:00.000Z.',
    )
    expect(detail(sliceRows(minutes, 0, 0), '1m')).toThrow(
      'to 1970-01-01T00:10:00.000Z; get the missing ones.',
    )
    expect(() => playedWith(RISES_FIRST, bracket, { fills: { path: 'ohlc' } })).toThrow(
      'Klines of a finer interval are only for the path "detail", but it is "ohlc"',
    )
  })
})
