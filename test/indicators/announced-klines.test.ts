import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KlineRow, type KlineSeries } from '../../src/domain/market-data/kline-series.ts'
import { InvariantError } from '../../src/domain/sluice-error.ts'
import { adx } from '../../src/indicators/adx.ts'
import { atr } from '../../src/indicators/atr.ts'
import { bollinger } from '../../src/indicators/bollinger.ts'
import { ema } from '../../src/indicators/ema.ts'
import { announceTo, shareIndicators } from '../../src/indicators/formula-indicator.ts'
import type { Indicator } from '../../src/indicators/indicator.ts'
import { macd } from '../../src/indicators/macd.ts'
import { highest, lowest } from '../../src/indicators/rolling-extreme.ts'
import { rsi } from '../../src/indicators/rsi.ts'
import { sma } from '../../src/indicators/sma.ts'
import { stochastic } from '../../src/indicators/stochastic.ts'
import { volatility } from '../../src/indicators/volatility.ts'

const MAKERS: readonly (readonly [string, (period: number) => Indicator])[] = [
  ['sma', period => sma(period)],
  ['sma of opens', period => sma(period, 'open')],
  ['ema', period => ema(period)],
  ['rsi', period => rsi(period)],
  ['atr', period => atr(period)],
  ['highest', period => highest(period)],
  ['lowest', period => lowest(period, 'close')],
  ['bollinger', period => bollinger(period)],
  ['macd', period => macd(3, period, 4)],
  ['stochastic', period => stochastic(period, 2, 3)],
  ['adx', period => adx(period)],
  ['volatility', period => volatility(period + 1)],
]

const anyPrice = fc.integer({ min: 1, max: 100_000 }).map(cents => cents / 100)
const anyRow = fc.tuple(anyPrice, anyPrice, anyPrice, anyPrice)

/** What was announced, and how many klines came before each announcement without one. */
const anyCourse = fc.record({
  rows: fc.array(anyRow, { minLength: 1, maxLength: 80 }),
  period: fc.integer({ min: 1, max: 12 }),
  blocks: fc.array(fc.record({ alone: fc.nat(3), announced: fc.nat(20) }), { minLength: 1, maxLength: 10 }),
})

function seriesOf(rows: readonly (readonly [number, number, number, number])[]): KlineSeries {
  const column = (index: 0 | 1 | 2 | 3) => Float64Array.from(rows, row => row[index])
  return {
    openTime: Float64Array.from(rows, (_row, index) => index * 60_000),
    open: column(0),
    high: Float64Array.from(rows, row => Math.max(...row)),
    low: Float64Array.from(rows, row => Math.min(...row)),
    close: column(3),
    volume: column(1),
  }
}

describe.each(MAKERS)('%s', (_name, make) => {
  it('has the same values, to the last bit, whether klines are announced or not', () => {
    fc.assert(
      fc.property(anyCourse, ({ rows, period, blocks }) => {
        const klines = seriesOf(rows)
        const [announced, alone] = [make(period), make(period)]
        let [row, end, block] = [0, 0, 0]
        while (row < rows.length) {
          const { alone: first = 0, announced: length = 0 } = blocks[block++ % blocks.length] ?? {}
          end = Math.min(rows.length, row + Math.max(1, first))
          for (; row < end; row++) step(klines, row, announced, alone)
          end = Math.min(rows.length, row + length)
          announceTo(announced, klines, row, end)
          expect(shownBy(announced)).toEqual(shownBy(alone))
          for (; row < end; row++) step(klines, row, announced, alone)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('has the same values, to the last bit, where several runs share them block by block', () => {
    fc.assert(
      fc.property(anyCourse, ({ rows, period, blocks }) => {
        const klines = shareIndicators(seriesOf(rows))
        // The third has seen a kline of its own before, so that it must compute by itself.
        const runs = [0, 1, 2].map(() => ({ shared: make(period), alone: make(period) }))
        const [, , late] = runs
        const earlier = { openTime: 0, open: 3, high: 4, low: 2, close: 3, volume: 1 }
        late?.shared.update(earlier)
        late?.alone.update(earlier)
        for (let row = 0, block = 0; row < rows.length; block++) {
          const { announced: length = 0 } = blocks[block % blocks.length] ?? {}
          const end = Math.min(rows.length, row + Math.max(1, length))
          for (const { shared, alone } of runs) {
            announceTo(shared, klines, row, end)
            expect(shownBy(shared)).toEqual(shownBy(alone))
            for (let next = row; next < end; next++) step(klines, next, shared, alone)
          }
          row = end
        }
      }),
      { numRuns: 100 },
    )
  })

  it('refuses runs that share it out of step', () => {
    const klines = shareIndicators(seriesOf([1, 2, 3, 4].map(price => [price, price, price, price] as const)))
    const [ahead, behind] = [make(2), make(2)]
    for (const indicator of [ahead, behind]) announceTo(indicator, klines, 0, 1)
    for (const row of [0, 1]) {
      ahead.update(new KlineRow(klines, row))
      announceTo(ahead, klines, row + 1, row + 2)
    }
    behind.update(new KlineRow(klines, 0))
    expect(() => announceTo(behind, klines, 1, 2)).toThrow(InvariantError)
  })

  it('refuses an announcement while announced klines have yet to come', () => {
    const klines = seriesOf([1, 2, 3].map(price => [price, price, price, price] as const))
    const indicator = make(2)
    announceTo(indicator, klines, 0, 2)
    indicator.update(new KlineRow(klines, 0))
    expect(() => announceTo(indicator, klines, 2, 3)).toThrow(InvariantError)
  })

  it('hands klines that have not closed to no indicator but those of formulas, and to no method of these', () => {
    const klines = { openTime: ROW, open: ROW, high: ROW, low: ROW, close: ROW, volume: ROW }
    const handed: unknown[] = []
    const announce = (...given: unknown[]) => void handed.push(...given)
    const own = { requiredKlines: 1, value: 0, previous: 0, update: () => undefined, announce }
    const replaced = Object.assign(sma(2), { announce })
    const posing = Object.create(sma(2), { announce: { value: announce } })
    for (const indicator of [own, replaced, posing]) announceTo(indicator, klines, 0, 1)
    expect(handed).toEqual([])
    replaced.update({ openTime: 0, open: 1, high: 1, low: 1, close: 1, volume: 1 })
    expect(() => announceTo(replaced, klines, 0, 1)).not.toThrow()
  })
})

const ROW = new Float64Array(1)

function step(klines: KlineSeries, row: number, announced: Indicator, alone: Indicator): void {
  const kline = new KlineRow(klines, row)
  announced.update(kline)
  alone.update(kline)
  expect(shownBy(announced)).toEqual(shownBy(alone))
}

/** All numbers of an indicator, those of its further lines too. */
function shownBy(indicator: Indicator): readonly number[] {
  const lines = [indicator, ...Object.values(indicator).filter(field => typeof field === 'object')]
  return lines.flatMap(({ value, previous }) => [value, previous])
}
