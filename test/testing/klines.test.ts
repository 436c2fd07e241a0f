import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { klineScript } from '../../src/testing/klines.ts'

const HOUR = 3_600_000
const NEW_YEAR = Date.UTC(2024, 0, 1)

describe('klines written by hand', () => {
  it('open at the close before, and reach no further than open and close', () => {
    expect(klineScript('1h').closes(100, 102, 101).list).toEqual([
      { openTime: NEW_YEAR, open: 100, high: 100, low: 100, close: 100, volume: 1000 },
      { openTime: NEW_YEAR + HOUR, open: 100, high: 102, low: 100, close: 102, volume: 1000 },
      { openTime: NEW_YEAR + 2 * HOUR, open: 102, high: 102, low: 101, close: 101, volume: 1000 },
    ])
  })

  it('take every price and the volume where they are given', () => {
    const script = klineScript('1d', '2024-02-28').volume(5).ohlc([10, 12, 9, 11], [11, 11, 10, 10, 7])
    expect(script.list).toEqual([
      { openTime: Date.UTC(2024, 1, 28), open: 10, high: 12, low: 9, close: 11, volume: 5 },
      { openTime: Date.UTC(2024, 1, 29), open: 11, high: 11, low: 10, close: 10, volume: 7 },
    ])
  })

  it('rise, stand still and leave gaps', () => {
    const script = klineScript('1h').closes(100).trend(103, 3).flat(2).gap(4).closes(90)
    expect(script.list.map(({ close }) => close)).toEqual([100, 101, 102, 103, 103, 103, 90])
    const hours = script.list.map(({ openTime }) => (openTime - NEW_YEAR) / HOUR)
    expect(hours).toEqual([0, 1, 2, 3, 4, 5, 10])
    expect(script.list.at(-1)?.open).toBe(103)
  })

  it('follow the calendar', () => {
    const months = klineScript('1M').closes(1, 2, 3).gap(1).closes(4)
    expect(months.list.map(({ openTime }) => new Date(openTime).toISOString().slice(0, 10))).toEqual([
      '2024-01-01',
      '2024-02-01',
      '2024-03-01',
      '2024-05-01',
    ])
    expect(klineScript('1w').closes(1).list[0]?.openTime).toBe(NEW_YEAR)
  })

  it('never change: two markets may begin alike', () => {
    const start = klineScript('1h').closes(100, 101)
    expect(start.closes(102).list).toHaveLength(3)
    expect(start.closes(99, 98).list.map(({ close }) => close)).toEqual([100, 101, 99, 98])
    expect(start.list).toHaveLength(2)
    expect(start.first(1).list).toEqual(start.list.slice(0, 1))
  })

  it.each([
    [
      () => klineScript('1h', '2024-01-01T00:30Z'),
      /No 1h kline opens at 2024-01-01T00:30:00.000Z; .* 2024-01-01T00:00/,
    ],
    [() => klineScript('1h', 'yesterday'), /"yesterday" is not a moment; write ms since 1970/],
    [() => klineScript('1d', '2024-02-31'), /"2024-02-31" is not a moment/],
    [
      () => klineScript('1h').closes(100, Number.NaN),
      /Kline 1 is impossible: its high is NaN|Kline 1 is impossible: its/,
    ],
    [
      () => klineScript('1h').closes(0),
      /Kline 0 is impossible: its open is 0\. Prices are open, high, low, close/,
    ],
    [() => klineScript('1h').ohlc([10, 9, 11, 10]), /Kline 0 is impossible: its high of 9 is below another/],
    [() => klineScript('1h').ohlc([10, 12, 11, 12]), /Kline 0 is impossible: its low of 11 is above another/],
    [() => klineScript('1h').ohlc([10, 12, 9, 12, -1]), /its volume is -1/],
    [() => klineScript('1h').trend(110, 3), /There is no kline yet for a trend to begin at/],
    [() => klineScript('1h').flat(3), /There is no kline yet for a flat stretch/],
    [() => klineScript('1h').closes(1).gap(0.5), /must be a whole number of at least 0, not 0\.5/],
  ])('%s is refused in a sentence', (write, sentence) => {
    expect(write).toThrow(UsageError)
    expect(write).toThrow(sentence)
  })
})
