import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import { backtestOptions } from './sluice-backtest.ts'

const INSTRUMENTS = 10
const CASH = 1_000_000

/**
 * Ten instruments on one account: each trades sma-cross (10, 30) on a tenth of the klines, all at the same times. Returns a
 * run, which returns how many fills there were.
 */
export function tenInstruments(klines: KlineColumns): () => number {
  const { instrument, interval, klines: _, size: __, ...account } = backtestOptions(klines, CASH)
  const length = Math.floor(klines.length / INSTRUMENTS)
  const markets = Array.from({ length: INSTRUMENTS }, (_market, index) => ({
    instrument: { ...instrument, symbol: `C${index}/USDT`, base: `C${index}` },
    interval,
    klines: tenthOf(klines, index, length),
    strategy: smaCross,
    parameters: { fast: 10, slow: 30 },
    size: { equityFraction: 0.002 },
  }))
  return () => runBacktest({ ...account, markets }).fillCount
}

function tenthOf(klines: KlineColumns, index: number, length: number): KlineColumns {
  const part = (column: Float64Array) => column.slice(index * length, (index + 1) * length)
  return {
    length,
    openTime: klines.openTime.slice(0, length),
    open: part(klines.open),
    high: part(klines.high),
    low: part(klines.low),
    close: part(klines.close),
    volume: part(klines.volume),
  }
}
