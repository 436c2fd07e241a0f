import { Command } from 'commander'
import { absentData } from './bench-data.ts'
import { measuredRows, rowsTable } from './measured-rows.ts'

/** Days of a bot with a window. */
const WATCHED_DAYS = 5

const command = new Command('npm run bench --')
  .description(
    'Measures Sluice beside bare references: a line on stderr as each row ends, and all rows at the end.',
  )
  .option('--json', 'all rows as one JSON object, not as a table')
  .option('--search', 'searches by whole commands instead')
  .option('--long', 'restarts, memory over a week and ten million orders instead')
  .option('--window', 'the memory of a bot whose window is read instead')
  .addHelpText(
    'after',
    '\nThe rows take about seven minutes on two quiet cores, --search two, --long thirty, --window seven.',
  )
  .parse()
const { json, search, long, window } = command.opts<{
  json?: true
  search?: true
  long?: true
  window?: true
}>()

// Modules that read data or measure are loaded for what is asked alone.
if (long) await (await import('./long/long-bench.ts')).runLongBench(line => console.log(line))
else if (window) {
  const { watchedDays } = await import('./long/simulated-week.ts')
  for await (const line of watchedDays(WATCHED_DAYS)) console.log(line)
} else {
  for (const sentence of absentData()) console.error(sentence)
  const rows = search
    ? (await import('./search/search-rows.ts')).searchRows()
    : (await import('./bench-rows.ts')).benchRows()
  const measured = await measuredRows(rows, line => console.error(line))
  console.log(json ? JSON.stringify({ rows: measured }) : rowsTable(measured))
}
