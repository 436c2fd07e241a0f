import Table from 'cli-table3'
import { smaCrossCold } from './sma-cross-cold.ts'
import { smaCrossWarm } from './sma-cross-warm.ts'

const rows = []
for (const { name, unit, run } of [smaCrossWarm(), smaCrossCold()]) {
  const { value, floor } = await run()
  rows.push({ name, value, unit, floor, ratio: value / floor })
}

if (process.argv.includes('--json')) console.log(JSON.stringify({ rows }))
else {
  const table = new Table({
    head: ['what', 'Sluice', 'bare loop', 'ratio', 'unit'],
    colAligns: ['left', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  })
  const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
  for (const { name, value, unit, floor, ratio } of rows) {
    table.push([name, whole.format(value), whole.format(floor), ratio.toFixed(3), unit])
  }
  console.log(table.toString())
}
