import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageKlines } from '../../../backtest/report/html/page-klines.ts'
import { pageScript } from '../../../backtest/report/html/page-script.ts'
import { SPAN_LENGTHS } from '../../../backtest/report/html/span-length.ts'
import type { PageKlines } from '../../../backtest/report/page-data.ts'
import { hourlyMarket, type Prices } from '../metrics/market.ts'

const PAGE = resolve(import.meta.dirname, '../../../backtest/report/page')

interface Level {
  readonly seconds: number
  readonly length: number
  readonly time: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
}

interface Levels {
  readonly finest: Level
  fitting(span: number, count: number): Level
}

interface Axis {
  placeOf(time: number): number
  timeAt(place: number): number
  covers(from: number, to: number): boolean
}

// They run in browsers, and are checked as such; what is used here of them is said above.
const {
  KlineLevels,
}: {
  KlineLevels: new (klines: PageKlines, pricePrecision: number, spanLengths: readonly number[]) => Levels
} = await import(pathToFileURL(join(PAGE, 'kline-levels.js')).href)
const { TimeAxis }: { TimeAxis: new (level: Level, start: number, end: number) => Axis } = await import(
  pathToFileURL(join(PAGE, 'time-axis.js')).href
)

const price = fc.integer({ min: 1, max: 5000 })
const rows = fc.array(
  fc.tuple(price, price, price, price).map((prices): Prices => {
    const [open, close] = [prices[0] / 100, prices[1] / 100]
    return [open, Math.max(...prices) / 100, Math.min(...prices) / 100, close]
  }),
  { minLength: 1, maxLength: 60 },
)
const absent = fc.array(fc.integer({ min: 1, max: 59 }))

describe('the klines of a page', () => {
  it('are the klines of the run', () => {
    fc.assert(
      fc.property(rows, absent, (prices, without) => {
        const market = hourlyMarket(prices, without)
        const { finest } = new KlineLevels(pageKlines(market), 2, SPAN_LENGTHS)
        const { openTime, open, high, low, close } = market.klines
        expect([...finest.time]).toEqual([...openTime].map(time => time / 1000))
        expect([finest.open, finest.high, finest.low, finest.close]).toEqual([open, high, low, close])
      }),
    )
  })

  it('are joined for a span that has more of them than there is room for', () => {
    const prices = Array.from({ length: 48 }, (_, hour): Prices => [hour, hour + 2, hour - 1, hour + 1])
    const level = new KlineLevels(pageKlines(hourlyMarket(prices)), 2, SPAN_LENGTHS).fitting(48 * 3600, 12)
    expect(level).toMatchObject({ seconds: 4 * 3600, length: 12 })
    expect([level.open[1], level.high[1], level.low[1], level.close[1]]).toEqual([4, 9, 3, 8])
  })
})

describe('the time axis of a chart', () => {
  const axisOf = (without: readonly number[]) => {
    const prices = Array.from({ length: 40 }, (): Prices => [1, 1, 1, 1])
    const { finest } = new KlineLevels(pageKlines(hourlyMarket(prices, without)), 2, SPAN_LENGTHS)
    return new TimeAxis(finest, 5, finest.length - 5)
  }

  it('finds the time of every place, also outside of the klines', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100 * 3600, max: 200 * 3600 }), time => {
        const axis = axisOf([])
        expect(axis.timeAt(axis.placeOf(time))).toBeCloseTo(time, 5)
      }),
    )
  })

  it('puts the middle of a kline onto its bar', () => {
    expect(axisOf([]).placeOf(7.5 * 3600)).toBeCloseTo(2, 9)
  })

  it('puts what happened in a gap onto the end of the kline before', () => {
    // Klines 0 to 9 and 20 to 39; the first bar is kline 5.
    const axis = axisOf(Array.from({ length: 10 }, (_, index) => 10 + index))
    expect(axis.placeOf(15 * 3600)).toBeCloseTo(4.5, 9)
    expect(axis.placeOf(20.5 * 3600)).toBeCloseTo(5, 9)
  })

  it('knows whether it has all there is of a span', () => {
    const axis = axisOf([])
    expect([
      axis.covers(5 * 3600, 35 * 3600),
      axis.covers(4 * 3600, 30 * 3600),
      axis.covers(6 * 3600, 36 * 3600),
    ]).toEqual([true, false, false])
  })
})

describe('pageScript', () => {
  it('is one script without imports and exports, in which no name is taken twice', () => {
    const script = pageScript()
    expect(script).not.toMatch(/^(import|export) /m)
    expect(() => new Function(script)).not.toThrow()
  })
})
