import { describe, expect, it } from 'vitest'
import { enterLong, exit } from '../../src/strategy/index.ts'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import strategy from '../../strategies/dca-regime.ts'
import { hasShared } from '../shared-data.ts'
import { type ExpectedFill, expectFills, meanOf, realRun } from './real-market.ts'

const DAY = 86_400_000
const PARAMETERS = { hours: 2, amount: 1000, regime: 2 }
const PURCHASE = enterLong({ size: { quote: 1000 }, scaleIn: true, tag: 'purchase' })

describe('dca-regime', () => {
  // Averages of two closes from the third kline on: 10.5, 11.5, 12.5, 13.5, 12. The fourth and the sixth kline close at
  // 04:00 and 06:00.
  const market = klineScript('1h', '2024-01-01').closes(10, 10, 11, 12, 13, 14, 10, 10)

  it('buys at its times while the price is above the average, and sells all of it once it is below', () => {
    const { decisions, fills, position } = tryStrategy(strategy, { klines: market, parameters: PARAMETERS })
    expect(decisions.slice(0, 3).map(({ kline, signal }) => [kline, signal])).toEqual([
      [3, PURCHASE],
      [5, PURCHASE],
      [6, exit({ tag: 'trend ended' })],
    ])
    expect(fills).toMatchObject([
      { kline: 4, side: 'buy', price: 12, quantity: 83.33333333 },
      { kline: 6, side: 'buy', price: 14, quantity: 71.42857142 },
      { kline: 7, side: 'sell', price: 10, quantity: 154.76190475 },
    ])
    expect(position.direction).toBe('flat')
  })

  it('stops buying when its money is spent, and asks for none that is not there', () => {
    const run = tryStrategy(strategy, { klines: market.first(7), parameters: PARAMETERS, balance: 1500 })
    expect(run.signals.slice(0, 2)).toEqual([PURCHASE, exit({ tag: 'trend ended' })])
    expect(run.denials).toEqual([])
  })

  it('buys nothing below the average, and sells nothing that it does not have', () => {
    const falling = klineScript('1h').closes(10, 9, 8, 7, 6, 5)
    expect(tryStrategy(strategy, { klines: falling, parameters: PARAMETERS }).signals).toEqual([])
  })

  it.runIf(hasShared('data'))('trades as told by a plain loop, for eight years', async () => {
    const { klines: list, run } = await realRun(strategy, 'binance-btcusdt-1d')
    const expected: ExpectedFill[] = []
    let purchases = 0
    for (let index = 200; index + 1 < list.length; index++) {
      const [today, tomorrow] = [list[index], list[index + 1]]
      if (today === undefined || tomorrow === undefined) continue
      const average = meanOf(list.slice(index - 199, index + 1).map(({ close }) => close))
      const fill = { kline: index + 1, price: tomorrow.open }
      if (today.close < average) {
        if (purchases > 0) expected.push({ ...fill, side: 'sell' })
        purchases = 0
      } else if (((today.openTime + DAY) / DAY) % 7 === 0) {
        expected.push({ ...fill, side: 'buy' })
        purchases++
      }
    }
    expectFills(run, expected)
    expect(run.roundTrips.length).toBeGreaterThan(200)
  })
})
