import { describe, expect, it } from 'vitest'
import { klinesOfTrades } from '../../../backtest/ticks/klines-of-trades.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { klinesIn } from '../../../src/klines/kline-columns.ts'
import { type TradeRow, tradesOf } from './tick-run.ts'

const made = (...rows: readonly TradeRow[]) => klinesIn(klinesOfTrades(tradesOf(rows), '1m'))
const kline = (minute: number, open: number, high: number, low: number, close: number, volume: number) => ({
  openTime: minute * 60_000,
  ...{ open, high, low, close, volume },
})

describe('klines of trades', () => {
  it('have the first, highest, lowest and last price of their minute, and its volume', () => {
    expect(made([0, 10, 2], [1, 12], [59_998, 9, 3], [59_999, 11], [60_000, 50])).toEqual([
      kline(0, 10, 12, 9, 11, 7),
    ])
  })

  it('add quantities as decimals', () => {
    expect(made([0, 10, 0.1], [1, 10, 0.2], [2, 10, 0.3], [60_000, 10])).toEqual([
      kline(0, 10, 10, 10, 10, 0.6),
    ])
  })

  it('begin with the first minute that is seen whole', () => {
    expect(made([1, 10], [60_000, 11], [120_000, 12])).toEqual([kline(1, 11, 11, 11, 11, 1)])
  })

  it('are flat at the price before where nobody traded', () => {
    expect(made([1, 10], [60_500, 11], [240_000, 12])).toEqual([
      kline(1, 11, 11, 11, 11, 1),
      kline(2, 11, 11, 11, 11, 0),
      kline(3, 11, 11, 11, 11, 0),
    ])
    expect(made([1, 10], [120_000, 11])).toEqual([kline(1, 10, 10, 10, 10, 0)])
  })

  it('must be at least one', () => {
    expect(() => made([1, 10], [119_999, 11])).toThrow(UsageError)
    expect(() => made([0, 10])).toThrow('make no complete 1m kline')
    expect(() => made()).toThrow(UsageError)
  })

  it('reach to what was read, though nobody traded since', () => {
    const rows: readonly TradeRow[] = [
      [1, 10],
      [60_500, 11],
    ]
    const until = (readUntil: number) =>
      klinesIn(klinesOfTrades(tradesOf(rows), '1m', readUntil)).map(({ openTime, close }) => [
        openTime,
        close,
      ])
    expect(until(120_000)).toEqual([[60_000, 11]])
    expect(until(240_000)).toEqual([
      [60_000, 11],
      [120_000, 11],
      [180_000, 11],
    ])
    expect(() => until(119_999)).toThrow('make no complete 1m kline')
  })
})
