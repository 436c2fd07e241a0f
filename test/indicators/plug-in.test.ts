import { ADX, ATR, DonchianChannels, WMA } from 'trading-signals'
import { describe, expect, it } from 'vitest'
import { atr } from '../../src/indicators/atr.ts'
import { plugIn } from '../../src/indicators/plug-in.ts'
import { flatKlines, previousOf, valuesOf } from './kline-series.ts'

describe('a plugged-in indicator', () => {
  it('of numbers reads the field it is given', () => {
    // Weights 1, 2, 3: (1×1 + 2×2 + 3×3) / 6 = 14/6, then (2 + 6 + 27) / 6 = 35/6.
    const values = valuesOf(plugIn(new WMA(3), 'close'), flatKlines([1, 2, 3, 9]))
    expect(values.slice(0, 2)).toEqual([undefined, undefined])
    expect(values[2]).toBeCloseTo(14 / 6, 12)
    expect(values[3]).toBeCloseTo(35 / 6, 12)
    const volumes = valuesOf(plugIn(new WMA(3), 'volume'), flatKlines([1, 2, 3, 9]))
    expect(volumes[3]).toBeCloseTo(1, 12)
  })

  it('keeps the value of one kline earlier', () => {
    const previous = previousOf(plugIn(new WMA(3), 'close'), flatKlines([1, 2, 3, 9]))
    expect(previous.slice(0, 3)).toEqual([undefined, undefined, undefined])
    expect(previous[3]).toBeCloseTo(14 / 6, 12)
  })

  it('of candles reads whole klines', () => {
    const klines = flatKlines([10, 12, 11, 15, 14]).map(kline => ({ ...kline, high: kline.close + 1 }))
    const plugged = valuesOf(plugIn(new DonchianChannels(3), 'kline'), klines)
    expect(plugged[4]).toMatchObject({ upper: 16, lower: 11 })
  })

  it.each([
    ['WMA(20)', () => plugIn(new WMA(20), 'close')],
    ['ADX(14)', () => plugIn(new ADX(14), 'kline')],
    ['ATR(14)', () => plugIn(new ATR(14), 'kline')],
  ])('needs, as %s, as many klines as pass before its first value', (_name, make) => {
    const indicator = make()
    const klines = flatKlines(Array.from({ length: 60 }, (_, index) => 100 + (index % 7)))
    const firstReady = valuesOf<number | undefined>(indicator, klines).findIndex(value => value !== undefined)
    expect(indicator.requiredKlines).toBe(firstReady + 1)
    expect(indicator.value).toBeTypeOf('number')
  })

  it('approaches our own of the same name', () => {
    const klines = flatKlines(Array.from({ length: 600 }, (_, index) => 100 + ((index * 7) % 11))).map(
      kline => ({ ...kline, high: kline.close + 2, low: kline.close - 1 }),
    )
    const theirs = valuesOf(plugIn(new ATR(14), 'kline'), klines).at(-1)
    // Started one kline apart: (13/14)^580 of the difference is left.
    expect(valuesOf(atr(14), klines).at(-1)).toBeCloseTo(theirs ?? Number.NaN, 9)
  })
})
