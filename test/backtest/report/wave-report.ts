import { metricsOf } from '../../../backtest/metrics/metrics.ts'
import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { roundToTicks, steps } from '../../../src/domain/numbers/grid.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { SPOT } from '../metrics/market.ts'
import { sampleReport } from './sample-report.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)

/** What would run, or break the page, if it were taken for markup. */
export const HOSTILE = `</script><script>document.title='hacked'</script><img src=x onerror="document.title='hacked'">'"&`

/** A run on hourly klines of a wave around 100: a round trip of six hours every twelve, long and short in turn. */
export function waveReport(klineCount: number): BacktestReport {
  const klines = waveKlines(klineCount)
  const markets = [{ instrument: SPOT, interval: '1h' as const, klines }]
  const roundTrips = Array.from({ length: Math.floor(klineCount / 12) }, (_, index) => tripAt(klines, index))
  const equity = { startTime: START, startEquity: 10_000, ...equityOf(klines, roundTrips) }
  const benchmark = { startTime: START, startEquity: 100, time: equity.time, equity: klines.close }
  const run = { markets, roundTrips, fills: [], openPositions: [] }
  return {
    ...sampleReport(),
    ...run,
    strategy: `wave ${HOSTILE}`,
    settings: { note: HOSTILE },
    metrics: metricsOf({ curve: equity, benchmark, ...run }),
    equity,
    benchmark,
    denials: new Map(),
  }
}

function waveKlines(length: number): KlineColumns {
  const priceAt = (row: number) =>
    Math.round(10_000 + 2000 * Math.sin(row / 40) + 400 * Math.sin(row / 3)) / 100
  const column = (valueAt: (row: number) => number) => Float64Array.from({ length }, (_, row) => valueAt(row))
  return {
    length,
    openTime: column(row => START + row * HOUR),
    open: column(priceAt),
    high: column(row => Math.max(priceAt(row), priceAt(row + 1)) + 0.25),
    low: column(row => Math.min(priceAt(row), priceAt(row + 1)) - 0.25),
    close: column(row => priceAt(row + 1)),
    volume: new Float64Array(length),
  }
}

function tripAt({ open, openTime }: KlineColumns, index: number): RoundTrip {
  const [entry, exit] = [12 * index + 2, 12 * index + 8]
  const at = (column: Float64Array, row: number) => column[row] ?? Number.NaN
  const direction = index % 2 === 0 ? 'long' : 'short'
  const gain = (at(open, exit) - at(open, entry)) * (direction === 'long' ? 1 : -1) * 10
  return {
    symbol: 'BTC/USDT',
    book: 'BTC/USDT',
    direction,
    quantity: steps(1_000_000),
    entryTime: at(openTime, entry),
    entryPrice: roundToTicks(SPOT, at(open, entry), 'nearest'),
    exitTime: at(openTime, exit),
    exitPrice: roundToTicks(SPOT, at(open, exit), 'nearest'),
    pnl: amountOf((gain - 1).toFixed(4)),
    fees: amountOf('1'),
    entryReason: 'entry',
    exitReason: index % 3 === 0 ? 'stopLoss' : 'exit',
    ...(index % 5 === 0 && { tag: HOSTILE }),
  }
}

function equityOf({ openTime, length }: KlineColumns, roundTrips: readonly RoundTrip[]) {
  const equity = new Float64Array(length)
  let [worth, next] = [10_000, 0]
  for (let row = 0; row < length; row++) {
    for (; (roundTrips[next]?.exitTime ?? Number.POSITIVE_INFINITY) <= (openTime[row] ?? 0); next++) {
      worth += Number(roundTrips[next]?.pnl) / 1e18
    }
    equity[row] = worth
  }
  return { equity, time: openTime.map(time => time + HOUR) }
}
