import Table from 'cli-table3'
import { backtestCold } from './backtest-cold.ts'
import { clientHttp } from './client-http.ts'
import { clientOrder } from './client-order.ts'
import { depthParsing } from './depth-parsing.ts'
import { httpOrders } from './http-orders.ts'
import { journalWrites } from './journal-writes.ts'
import { klineImport } from './kline-import.ts'
import { klineImportMemory } from './kline-import-memory.ts'
import { klineStoreLoad } from './kline-store-load.ts'
import { klineStoreMemory } from './kline-store-memory.ts'
import { runLongBench } from './long-bench.ts'
import { marketDelivery } from './market-delivery.ts'
import { matchingSpeed, matchingSpeedAtP99 } from './matching-speed.ts'
import { orderLatency } from './order-latency.ts'
import { simulatedDay } from './simulated-day.ts'
import { smaCrossStreamsWarm } from './sma-cross-streams-warm.ts'
import { smaCrossWarm } from './sma-cross-warm.ts'

const benchRows = [
  smaCrossWarm(),
  smaCrossStreamsWarm(),
  backtestCold('few'),
  backtestCold('many'),
  backtestCold('brackets'),
  backtestCold('instruments'),
  clientOrder(),
  depthParsing(),
  clientHttp(),
  matchingSpeed(),
  matchingSpeedAtP99(),
  httpOrders(),
  simulatedDay(),
  ...marketDelivery(),
  ...orderLatency(),
  ...journalWrites(),
  klineStoreLoad(),
  klineStoreMemory(),
  klineImport(),
  klineImportMemory(),
]

if (process.argv.includes('--long')) await runLongBench(line => console.log(line))
else await runRows()

async function runRows(): Promise<void> {
  const rows = []
  for (const { name, unit, goal, run } of benchRows) {
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
