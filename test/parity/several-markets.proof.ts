import { describe, expect, it } from 'vitest'
import { readKlineFile } from '../../src/klines/formats/read-kline-file.ts'
import { type KlineColumns, klineAt } from '../../src/klines/kline-columns.ts'
import { sliceRows } from '../../src/klines/slice-klines.ts'
import { defineStrategy, enterLong, exit, rsi } from '../../src/strategy/index.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { hasShared, sharedPath } from '../shared-data.ts'
import { type Markets, runSeveralLive, runSeveralReplayed, type Trader } from './run-several.ts'

const HISTORY = 20

const dipBuyer = defineStrategy({
  name: 'dip-buyer',
  indicators: () => ({ rsi: rsi(7) }),
  onKline(_kline, { indicators, position }) {
    if (position.direction === 'long') return indicators.rsi.value > 60 ? exit() : undefined
    return indicators.rsi.value < 35 ? enterLong() : undefined
  },
})

const TRADERS: readonly Trader[] = [
  { symbol: 'BTC/USDT', strategy: smaCross, parameters: { fast: 5, slow: 20 } },
  { symbol: 'ETH/USDT', strategy: smaCross, parameters: { fast: 3, slow: 15 } },
  { symbol: 'BTC/USDT', strategy: dipBuyer, parameters: {} },
]

/** The same minutes of two real markets. */
async function realMarkets(from: number, length: number): Promise<Markets> {
  const [btc, eth] = await Promise.all(
    ['binance-btcusdt-1m.csv.gz', 'binance-ethusdt-1m.csv.gz'].map(async name => {
      const { columns } = await readKlineFile(sharedPath('data', name))
      return columns
    }),
  )
  const own = sliceRows(btc as KlineColumns, from, from + length)
  const start = klineAt(own, 0).openTime
  const row = (eth as KlineColumns).openTime.indexOf(start)
  return new Map([
    ['BTC/USDT', own],
    ['ETH/USDT', sliceRows(eth as KlineColumns, row, row + length)],
  ])
}

describe.runIf(hasShared('data', 'binance-ethusdt-1m.csv.gz'))(
  'two markets, and two strategies on one of them',
  () => {
    it('give the same orders, fills and round trips live and in a backtest', async () => {
      const markets = await realMarkets(10_000, 300)
      const live = await runSeveralLive(markets, TRADERS, HISTORY)
      const replayed = runSeveralReplayed(markets, TRADERS, live.instruments)
      expect(live.roundTrips.length).toBeGreaterThan(10)
      expect(live.orders).toEqual(replayed.orders)
      expect(live.fills).toEqual(replayed.fills)
      expect(live.roundTrips).toEqual(replayed.roundTrips)
    })
  },
)
