import { journalRestarts } from '../journal/journal-restart.ts'
import { longRun } from './long-run.ts'
import { runSimulatedMarket } from './simulated-day.ts'
import { simulatedWeek } from './simulated-week.ts'

const ORDERS = 10_000_000
/** What a slow machine gets done in this time is told as it is. */
const MOST_SECONDS = 1800
const DAY_MINUTES = 1440
const JOURNAL_ROWS = 1_000_000
const WEEK_DAYS = 7

/** Measures what takes minutes: restarts from a million journal rows, the heap of a bot over a week, a simulated day of 20 symbols, and the heap over ten million orders. */
export async function runLongBench(write: (line: string) => void): Promise<void> {
  for await (const { what, rows, runAgain, seconds } of journalRestarts(JOURNAL_ROWS)) {
    write(`Restart from ${rows} journal rows, ${what}: ${seconds.toFixed(2)} s, ${runAgain} rows run again`)
  }
  for await (const line of simulatedWeek(WEEK_DAYS)) write(line)
  const { seconds, cpuSeconds, requests, trades } = runSimulatedMarket(DAY_MINUTES)
  write(
    `24 hours of 20 symbols: ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of the processor), with ${requests} requests and ${trades} trades`,
  )
  for (const { orders, heapMegabytes, ordersPerSecond } of longRun({
    orders: ORDERS,
    mostSeconds: MOST_SECONDS,
  })) {
    write(
      `${orders} signed orders: ${heapMegabytes.toFixed(1)} MB of heap, ${ordersPerSecond.toFixed(0)} orders/s`,
    )
  }
}
