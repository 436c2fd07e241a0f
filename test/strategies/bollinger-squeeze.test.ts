import { ATR } from 'trading-signals'
import { describe, expect, it } from 'vitest'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { columnsFrom } from '../../src/klines/kline-columns.ts'
import { enterLong, exit } from '../../src/strategy/index.ts'
import { klineScript } from '../../src/testing/klines.ts'
import strategy from '../../strategies/bollinger-squeeze.ts'
import { hasShared } from '../shared-data.ts'
import { BTC, type PlayedFill, played } from './played.ts'
import { meanOf, realKlines } from './real-market.ts'

const HOUR = 3_600_000
const PARAMETERS = { window: 2, deviations: 4, channel: 1.5, longer: '4h', trend: 2 }

/** Hours of `list`, with these klines of four hours beside them. */
const marketOf = (list: readonly Kline[], longer: readonly Kline[]) => ({
  ...{ strategy, instrument: BTC, interval: '1h' as const, klines: columnsFrom(list) },
  feeds: { longer: { type: 'klines' as const, klines: columnsFrom(longer) } },
})

describe('bollinger-squeeze', () => {
  // 36 hours that rise by 0.1 each and reach one up and down. Bands around 103.4 and 103.5: 103.45 ± 4 × 0.05.
  const quiet = Array.from({ length: 36 }, (_, hour) => 100 + hour / 10)
  const hours = klineScript('1h').ohlc(
    ...quiet.map(close => [close, close + 1, close - 1, close] as const),
    [103.5, 107, 103, 106], // out of the bands
    [106, 106, 103.5, 104], // below the mean of 106 and 104
    [104, 104, 104, 104],
  )
  const rising = klineScript('4h').closes(...Array.from({ length: 9 }, (_, index) => 100 + index))
  const run = (longer = rising, parameters = {}) =>
    played({ ...marketOf(hours.list, longer.list), parameters: { ...PARAMETERS, ...parameters } })

  it('buys above the bands of a quiet stretch, with its stop-loss at the lower one, and leaves at the middle', () => {
    const { signals, fills } = run()
    expect(signals).toEqual([
      enterLong({ stopLoss: expect.closeTo(103.25, 9), tag: 'squeeze' }),
      exit({ tag: 'middle' }),
    ])
    expect(fills).toMatchObject([
      { side: 'buy', price: 106, at: hours.list[37]?.openTime },
      { side: 'sell', price: 104, at: hours.list[38]?.openTime },
    ])
  })

  it('buys nothing while the longer klines are not above their average', () => {
    const falling = klineScript('4h').closes(...Array.from({ length: 9 }, (_, index) => 100 - index))
    expect(run(falling).signals).toEqual([])
  })

  it('buys nothing where the bands lay outside of the channel', () => {
    // Half a width of 8 × 0.05, and ranges of 2: a channel of 0.2 ranges would be as wide.
    expect(run(rising, { deviations: 8, channel: 0.19 }).signals).toEqual([])
    expect(run(rising, { deviations: 8, channel: 0.21 }).signals).toHaveLength(2)
  })

  it.runIf(hasShared('data'))(
    'trades as told by a plain loop over both intervals, for eight months',
    async () => {
      const { list } = (await realKlines('binance-btcusdt-1h')).first(6000)
      const groups = Map.groupBy(list, ({ openTime }) => Math.floor(openTime / (4 * HOUR)))
      const longer = [...groups].flatMap(([number, hoursOf]) => {
        const [first, last] = [hoursOf[0], hoursOf[3]]
        if (first === undefined || last === undefined) return []
        const [high, low] = [Math.max(...hoursOf.map(k => k.high)), Math.min(...hoursOf.map(k => k.low))]
        const [open, close] = [first.open, last.close]
        return [{ openTime: number * 4 * HOUR, open, high, low, close, volume: 1 }]
      })
      const expected: Omit<PlayedFill, 'quantity' | 'symbol'>[] = []
      const atr = new ATR(20)
      let [known, stop, lastRange] = [0, Number.NaN, Number.NaN]
      let plan: number | 'leave' | undefined
      for (const [index, { openTime, open, low, close }] of list.entries()) {
        const sell = (price: number) => {
          expected.push({ side: 'sell', at: openTime, price })
          stop = Number.NaN
        }
        if (plan === 'leave') sell(open)
        if (typeof plan === 'number') {
          expected.push({ side: 'buy', at: openTime, price: open })
          stop = plan
        }
        if (low <= stop) sell(Math.min(open, stop))
        plan = undefined
        const before = list.slice(Math.max(0, index - 20), index).map(kline => kline.close)
        const now = [...before.slice(1), close]
        const middle = meanOf(before)
        const width = 2 * Math.sqrt(meanOf(before.map(price => (price - middle) ** 2)))
        while ((longer[known]?.openTime ?? Number.POSITIVE_INFINITY) + 4 * HOUR <= openTime + HOUR) known++
        const trend = longer.slice(Math.max(0, known - 50), known).map(kline => kline.close)
        if (!Number.isNaN(stop)) plan = close < meanOf(now) ? 'leave' : undefined
        else if (index >= 320 && (trend.at(-1) ?? 0) > meanOf(trend) && close > middle + width)
          plan = width < 1.5 * lastRange ? middle - width : undefined
        atr.add(list[index] ?? { high: 0, low: 0, close: 0 })
        lastRange = atr.getResult() ?? Number.NaN
      }
      const { fills } = played({ ...marketOf(list, longer), parameters: {} })
      const words = ({ side, at }: Pick<PlayedFill, 'side' | 'at'>) =>
        `${side} at ${new Date(at).toISOString()}`
      expect(fills.map(words)).toEqual(expected.map(words))
      for (const [index, { price }] of fills.entries())
        expect(price).toBeCloseTo(expected[index]?.price ?? Number.NaN, 3)
      expect(fills.length).toBeGreaterThan(40)
    },
  )
})
