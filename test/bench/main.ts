import Table from 'cli-table3'
import { backtestCold } from './backtests/backtest-cold.ts'
import { backtestCommand } from './backtests/backtest-command.ts'
import { backtestWarm } from './backtests/backtest-warm.ts'
import { smaCrossStreamsWarm } from './backtests/sma-cross-streams-warm.ts'
import { smaCrossWarm } from './backtests/sma-cross-warm.ts'
import { sweepWarm } from './backtests/sweep-warm.ts'
import { ticksWarm } from './backtests/ticks-warm.ts'
import type { BenchRow } from './bench-row.ts'
import { clientHttp } from './client/client-http.ts'
import { clientOrder } from './client/client-order.ts'
import { depthParsing } from './client/depth-parsing.ts'
import { httpOrders } from './client/http-orders.ts'
import { marketDelivery } from './client/market-delivery.ts'
import { orderLatency } from './client/order-latency.ts'
import { watchedLatency } from './client/watched-latency.ts'
import { matchingSpeed, matchingSpeedAtP99 } from './exchange/matching-speed.ts'
import { journalWrites } from './journal/journal-writes.ts'
import { klineImport } from './klines/kline-import.ts'
import { klineImportMemory } from './klines/kline-import-memory.ts'
import { klineStoreLoad } from './klines/kline-store-load.ts'
import { klineStoreMemory } from './klines/kline-store-memory.ts'
import { runLongBench } from './long/long-bench.ts'
import { simulatedDay } from './long/simulated-day.ts'
import { watchedDays } from './long/simulated-week.ts'
import { searchRows } from './search/search-rows.ts'

/** Days of a bot with a window. */
const WATCHED_DAYS = 5

const benchRows = [
  smaCrossWarm(),
  smaCrossStreamsWarm(),
  backtestWarm('few'),
  backtestWarm('many'),
  backtestWarm('brackets'),
  backtestWarm('instruments'),
  ...sweepWarm(),
  ...ticksWarm(),
  backtestCold('few'),
  backtestCold('many'),
  backtestCold('brackets'),
  backtestCold('instruments'),
  backtestCommand(200, 1000),
  backtestCommand(10, 30),
  clientOrder(),
  depthParsing(),
  clientHttp(),
  matchingSpeed(),
  matchingSpeedAtP99(),
  httpOrders(),
  simulatedDay(),
  ...marketDelivery(),
  ...orderLatency(),
  ...watchedLatency(),
  ...journalWrites(),
  klineStoreLoad(),
  klineStoreMemory(),
  klineImport(),
  klineImportMemory(),
]

if (process.argv.includes('--long')) await runLongBench(line => console.log(line))
else if (process.argv.includes('--window'))
  for await (const line of watchedDays(WATCHED_DAYS)) console.log(line)
else await runRows(process.argv.includes('--search') ? searchRows() : benchRows)

async function runRows(measured: readonly BenchRow[]): Promise<void> {
  const rows = []
  for (const { name, unit, goal, run } of measured) {
    const { value, floor } = await run()
    rows.push({ name, value, unit, floor, ratio: value / floor, goal })
  }

  if (process.argv.includes('--json')) console.log(JSON.stringify({ rows }))
  else {
    const table = new Table({
      head: ['what', 'Sluice', 'bare', 'ratio', 'goal', 'unit'],
      colAligns: ['left', 'right', 'right', 'right', 'left', 'left'],
      style: { head: [], border: [], compact: true },
    })
    const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
    for (const { name, value, unit, floor, ratio, goal } of rows) {
      table.push([
        name,
        whole.format(value),
        whole.format(floor),
        ratio.toFixed(3),
        goal === undefined ? '' : `≤ ${goal}`,
        unit,
      ])
    }
    console.log(table.toString())
  }
}
