import { longRun } from './long-run.ts'
import { runSimulatedMarket } from './simulated-day.ts'

const ORDERS = 10_000_000
/** What a slow machine gets done in this time is told as it is. */
const MOST_SECONDS = 1800
const DAY_MINUTES = 1440

/** Measures what takes minutes: a simulated day of 20 symbols, and the heap over ten million orders. */
export function runLongBench(write: (line: string) => void): void {
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
