import Table from 'cli-table3'
import { clientHttp } from './client-http.ts'
import { clientOrder } from './client-order.ts'
import { depthParsing } from './depth-parsing.ts'
import { httpOrders } from './http-orders.ts'
import { longRun } from './long-run.ts'
import { matchingSpeed, matchingSpeedAtP99 } from './matching-speed.ts'
import { simulatedDay } from './simulated-day.ts'
import { smaCrossCold } from './sma-cross-cold.ts'
import { smaCrossWarm } from './sma-cross-warm.ts'

const benchRows = [
  smaCrossWarm(),
  smaCrossCold(),
  clientOrder(),
  depthParsing(),
  clientHttp(),
  matchingSpeed(),
  matchingSpeedAtP99(),
  httpOrders(),
  simulatedDay(),
]
const LONG_RUN_ORDERS = 10_000_000

const rows = []
for (const { name, unit, run } of benchRows) {
  const { value, floor } = await run()
  rows.push({ name, value, unit, floor, ratio: value / floor })
}

if (process.argv.includes('--json')) console.log(JSON.stringify({ rows }))
else {
  const table = new Table({
    head: ['what', 'Sluice', 'bare', 'ratio', 'unit'],
    colAligns: ['left', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  })
  const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
  for (const { name, value, unit, floor, ratio } of rows) {
    table.push([name, whole.format(value), whole.format(floor), ratio.toFixed(3), unit])
  }
  console.log(table.toString())
}

if (process.argv.includes('--long')) {
  longRun(LONG_RUN_ORDERS, ({ orders, heapMegabytes, ordersPerSecond }) =>
    console.log(
      `${orders} signed orders: ${heapMegabytes.toFixed(1)} MB of heap, ${ordersPerSecond.toFixed(0)} orders/s`,
    ),
  )
}
