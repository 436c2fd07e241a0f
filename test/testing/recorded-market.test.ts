import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { recordedMarket } from '../../src/testing/recorded-market.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { fileWith } from '../cli/sluice-process.ts'

const HEAD = 'open_time,open,high,low,close,volume'
const MONTH_STARTS = [0, 1, 2, 3, 4].map(month => Date.UTC(2024, month, 1))

/** Klines that stand still at their close, at these times. */
const csvOf = (times: readonly number[], closes: readonly number[]) =>
  [HEAD, ...times.map((time, row) => [time, ...Array(4).fill(closes[row]), 1].join(','))].join('\n')

describe('a recorded market', () => {
  it('is read with its interval, and tried like klines written by hand', async () => {
    const times = [0, 1, 2, 3, 5, 6].map(quarter => Date.UTC(2024, 0, 1) + quarter * 900_000)
    const market = await recordedMarket(fileWith('market.csv', csvOf(times, [10, 10, 12, 13, 11, 11])))
    expect(market.interval).toBe('15m')
    expect(market.list.map(({ openTime }) => openTime)).toEqual(times)
    const run = tryStrategy(smaCross, { klines: market, parameters: { fast: 1, slow: 2 } })
    expect(run.fills).toMatchObject([
      { kline: 3, side: 'buy', price: 13 },
      { kline: 5, side: 'sell', price: 11 },
    ])
  })

  it('goes on by hand', async () => {
    const market = await recordedMarket(fileWith('market.csv', csvOf(MONTH_STARTS, [1, 2, 3, 4, 5])))
    expect(market.interval).toBe('1M')
    expect(market.closes(6).list.at(-1)).toMatchObject({ openTime: Date.UTC(2024, 5, 1), open: 5, close: 6 })
  })

  it('is refused in a sentence where it is absent or has no interval', async () => {
    await expect(recordedMarket('nowhere.csv')).rejects.toThrow(UsageError)
    const single = fileWith('market.csv', csvOf([Date.UTC(2024, 0, 1)], [10]))
    await expect(recordedMarket(single)).rejects.toThrow(/no two klines that follow on each other/)
  })
})
