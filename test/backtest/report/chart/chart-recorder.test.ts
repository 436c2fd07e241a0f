import { describe, expect, it } from 'vitest'
import { ChartRecorder } from '../../../../backtest/report/chart/chart-recorder.ts'
import { pageRecord } from '../../../../backtest/report/html/page-record.ts'
import { isOnPriceScale } from '../../../../backtest/report/html/price-scale.ts'
import { defineStrategy, enterLong, sma } from '../../../../src/strategy/index.ts'
import { MARGIN } from '../../../engine/engine-session.ts'
import { klinesOf, type Row, run } from '../../kline-table.ts'

const MINUTE = 60_000

/** Enters at 100 with a stop that trails by 10, then bids far below, and wants more than it may. */
const strategy = defineStrategy({
  name: 'recorded',
  indicators: () => ({ average: sma(1) }),
  state: () => ({ klines: 0 }),
  onKline({ close }, { state, plot }) {
    plot({ half: close / 2 })
    state.klines++
    if (state.klines === 1)
      return enterLong({ trailingStop: { fraction: 0.1 }, takeProfit: 130, tag: 'first' })
    if (state.klines === 2)
      return enterLong({ order: { type: 'limit', price: 50 }, scaleIn: true, expiresAfter: { klines: 1 } })
    if (state.klines === 4) return enterLong({ size: { base: 1000 }, scaleIn: true })
  },
})

/** The first kline warms up; the entry trades at the third open, and no kline falls by a tenth until the last. */
const rows: readonly Row[] = [
  [100, 100, 100, 100],
  [100, 100, 100, 100],
  [100, 100, 100, 100],
  [100, 105, 100, 105],
  [105, 112, 105, 112],
  [112, 112, 112, 112],
  [112, 112, 98, 98],
]

function recorded() {
  const recorder = new ChartRecorder()
  run(strategy, rows, { ...recorder })
  return recorder.charts.get('BTC/USDT')
}

describe('a recorded chart', () => {
  it('has indicators and own series with the time at which each value was known', () => {
    const series = recorded()?.series
    // An average of one kline is known in the warm-up already; plotted is only where the strategy decides.
    const times = [2, 3, 4, 5, 6, 7].map(kline => kline * MINUTE)
    expect(series?.get('average')).toEqual({
      time: [MINUTE, ...times],
      value: [100, 100, 100, 105, 112, 112, 98],
    })
    expect(series?.get('half')).toEqual({ time: times, value: [50, 50, 52.5, 56, 56, 49] })
  })

  it('has the stop as it moved, the target, and orders that came to nothing', () => {
    const chart = recorded()
    const [entered, out] = [2 * MINUTE, 6 * MINUTE]
    // A tenth of the entry price, 10, below the highs of 100, 105 and 112, in hundredths.
    expect(chart?.levels).toEqual([
      { kind: 'target', price: 13_000, from: entered, to: out },
      { kind: 'stop', price: 9_000, from: entered, to: 4 * MINUTE },
      { kind: 'stop', price: 9_500, from: 4 * MINUTE, to: 5 * MINUTE },
      { kind: 'stop', price: 10_200, from: 5 * MINUTE, to: out },
    ])
    expect(chart?.ends).toEqual([
      expect.objectContaining({ kind: 'canceled', price: 5_000, time: 4 * MINUTE }),
      { kind: 'denied', time: 5 * MINUTE, text: expect.stringContaining('leverage: ') },
    ])
  })
})

describe('pageRecord', () => {
  it('gives each kline the value that was known last by its close, and leaves gaps', () => {
    const klines = klinesOf(rows.slice(0, 3))
    const series = new Map([['own', { time: [MINUTE, 1.5 * MINUTE, 2 * MINUTE], value: [7, 8, 9.5] }]])
    const chart = { series, levels: [], ends: [] }
    const record = pageRecord({ instrument: MARGIN, interval: '1m', klines }, 10, chart, 3 * MINUTE)
    // The largest value, 9.5, has one digit before the point, and five after it are kept.
    const [own] = record.series
    expect(own).toMatchObject({ name: 'own', isPrice: false, differences: [700_000, 250_000, null] })
    expect(own?.step).toBeCloseTo(1e-5, 12)
  })
})

describe('isOnPriceScale', () => {
  const of = (valueAt: (row: number) => number, closeAt: (row: number) => number) =>
    isOnPriceScale(
      Float64Array.from({ length: 40 }, (_, row) => valueAt(row)),
      Float64Array.from({ length: 40 }, (_, row) => closeAt(row)),
    )
  const price = (row: number) => 60_000 + 1000 * row

  it.each([
    ['an average', (row: number) => price(row) - 500, price, true],
    ['a range', () => 700, price, false],
    ['an oscillator', (row: number) => 50 + 20 * Math.sin(row), price, false],
    ['an oscillator beside a price of its size', (row: number) => 50 + 20 * Math.sin(row), () => 50, false],
    ['an average of a price below 100', (row: number) => 40 + row, (row: number) => 41 + row, true],
    ['nothing', () => Number.NaN, price, false],
  ])('%s', (_, value, close, expected) => {
    expect(of(value, close)).toBe(expected)
  })
})
