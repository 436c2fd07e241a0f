import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import { runBacktest } from '../../backtest/run/run-backtest.ts'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import { quantityOf } from '../../src/domain/numbers/grid.ts'
import { columnsFrom } from '../../src/klines/kline-columns.ts'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import strategy from '../../strategies/trend-portfolio.ts'
import { SPOT } from '../backtest/metrics/market.ts'
import { hasShared } from '../shared-data.ts'
import { meanOf, realKlines } from './real-market.ts'

const DAY = 86_400_000
const PARAMETERS = { trend: 2, window: 2, target: 0.1, markets: 1, band: 0.02 }

describe('trend-portfolio', () => {
  // Returns of 0 and 2% have a standard deviation of 0.02 / √2; a year of days has 365 of them.
  const UP = 100 * Math.exp(0.02)
  const SHARE = 0.1 / ((0.02 / Math.SQRT2) * Math.sqrt(365))
  const closesOf = (...closes: readonly number[]) =>
    closes.map(close => Number(close.toFixed(4))) as readonly number[]

  it('holds what is above its average, in the share of equity that has the wanted volatility', () => {
    const market = klineScript('1d').closes(...closesOf(100, 100, 100, UP, UP * 1.0001))
    const { signals, fills } = tryStrategy(strategy, { klines: market, parameters: PARAMETERS })
    expect(signals).toMatchObject([{ type: 'target', size: { equityFraction: expect.closeTo(SHARE, 4) } }])
    expect(fills).toMatchObject([
      { kline: 4, side: 'buy', quantity: expect.closeTo((SHARE * 10_000) / UP, 2) },
    ])
  })

  it('divides that between its markets', () => {
    const market = klineScript('1d').closes(...closesOf(100, 100, 100, UP))
    const { signals } = tryStrategy(strategy, { klines: market, parameters: { ...PARAMETERS, markets: 4 } })
    expect(signals).toMatchObject([{ size: { equityFraction: expect.closeTo(SHARE / 4, 4) } }])
  })

  it('takes no more than there is where nothing moves', () => {
    const market = klineScript('1d').closes(100, 101, 102.01, 103.0301)
    const { signals } = tryStrategy(strategy, { klines: market, parameters: PARAMETERS })
    expect(signals).toMatchObject([{ size: { equityFraction: 0.95 } }])
  })

  it('leaves below the average, whatever the band', () => {
    const market = klineScript('1d').closes(...closesOf(100, 100, 100, UP, UP * 1.0001, 90))
    // The share of 0.37 has fallen to 0.34 with the price, which is less than the band.
    const run = tryStrategy(strategy, { klines: market, parameters: { ...PARAMETERS, band: 0.36 } })
    expect(run.signals).toMatchObject([{}, { type: 'target', size: { equityFraction: 0 } }])
  })

  it('lets a share be that is nearly right', () => {
    // On the fifth day the share held is what it was but for half a percent of the price; on the sixth its target is 0.95.
    const market = klineScript('1d').closes(...closesOf(100, 100, 100, UP, UP * 1.0001, UP * 1.0002))
    const run = tryStrategy(strategy, { klines: market, parameters: PARAMETERS })
    expect(run.decisions.map(({ kline }) => kline)).toEqual([3, 5])
  })

  it('decides once a day', () => {
    const hours = klineScript('1h').closes(...Array.from({ length: 72 }, (_, hour) => 100 + hour))
    const run = tryStrategy(strategy, { klines: hours, parameters: { ...PARAMETERS, band: 0 } })
    expect(run.decisions.map(({ kline }) => kline % 24)).toEqual([23, 23, 23])
  })

  it.runIf(hasShared('data'))('trades three markets as told by a plain loop, for five months', async () => {
    const names = ['binance-btcusdt-1h', 'binance-ethusdt-1h', 'binance-solusdt-1h']
    const markets = await Promise.all(names.map(async name => (await realKlines(name)).first(4000).list))
    const free = { maker: rateOf('0'), taker: rateOf('0'), paidIn: 'received' } as const
    const { fills } = runBacktest({
      markets: markets.map((list, index) => ({
        klines: columnsFrom(list),
        instrument: {
          ...SPOT,
          symbol: `M${index}/USDT`,
          base: `M${index}`,
          quantityPrecision: 8,
          fees: free,
        },
        interval: '1h',
        strategy,
        parameters: {},
        size: { base: 1 },
      })),
      balances: new Map([['USDT', amountOf('10000')]]),
      fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0 },
      sizingReference: 'decision',
      closeAtEnd: 'no',
    })
    const expected: { readonly time: number; readonly change: number }[] = []
    const held = [0, 0, 0]
    const targets: (number | undefined)[] = []
    let cash = 10_000
    for (let hour = 0; hour < 4000; hour++) {
      const at = markets.map(list => list[hour] ?? { openTime: 0, open: 0, close: 0 })
      for (const [index, { openTime, open }] of at.entries()) {
        const change = (targets[index] ?? held[index] ?? 0) - (held[index] ?? 0)
        if (change !== 0) expected.push({ time: openTime, change })
        held[index] = (held[index] ?? 0) + change
        cash -= change * open
        targets[index] = undefined
      }
      if (((at[0]?.openTime ?? 0) + DAY / 24) % DAY !== 0 || hour < 1200) continue
      for (const [index, list] of markets.entries()) {
        const close = at[index]?.close ?? 0
        const latest = at.map(kline => kline.close)
        const equity = latest.reduce((sum, price, place) => sum + (held[place] ?? 0) * price, cash)
        const returns = list.slice(hour - 479, hour + 1).map((kline, place) => {
          return Math.log(kline.close / (list[hour - 480 + place]?.close ?? Number.NaN))
        })
        const variance = returns.reduce((sum, one) => sum + (one - meanOf(returns)) ** 2, 0) / 479
        const isRising = close > meanOf(list.slice(hour - 1199, hour + 1).map(kline => kline.close))
        const share = isRising ? Math.min(0.95, 0.2 / Math.sqrt(variance * 365 * 24)) / 3 : 0
        const now = ((held[index] ?? 0) * close) / equity
        if (Math.abs(share - now) > 0.02 || (share === 0 && now > 0))
          targets[index] = (share * equity) / close
      }
    }
    expect(expected.length).toBeGreaterThan(10)
    expect(fills.map(({ time }) => time)).toEqual(expected.map(({ time }) => time))
    for (const [index, { side, quantity }] of fills.entries()) {
      const change = quantityOf({ ...SPOT, quantityPrecision: 8 }, quantity) * (side === 'buy' ? 1 : -1)
      expect(change).toBeCloseTo(expected[index]?.change ?? Number.NaN, 5)
    }
  })
})
