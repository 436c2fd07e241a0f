import { constants, platform, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import { JournalReader } from '../journal/journal-reader.ts'
import { isFailureOfStrategy } from '../sandbox/strategy-scope.ts'
import type { ComparisonUpdate, ComparisonWorkerData } from './comparison-messages.ts'
import { comparisonJson } from './comparison-rows.ts'
import { compareSpan } from './live-comparison.ts'
import { LiveSpan } from './live-span.ts'
import { ReadStrategies } from './read-strategies.ts'

// The thread of `RunningComparison`. As in src/main.ts: a promise that a strategy left behind fails that strategy.
process.on('unhandledRejection', cause => {
  if (!isFailureOfStrategy(cause)) throw cause
})

/** Entries that are read at a stretch. */
const CHUNK = 2000
/** The thread uses at most one part in so many of a processor. */
const DUTY_PARTS = 20
/** Klines after which the compared span begins anew. */
const MOST_KLINES = 50_000
/** Orders and round trips of a result, the latest. */
const MOST_ROWS = 200
const { load, hashOf } = new ReadStrategies(new URL('../..', import.meta.url).pathname)

const port = parentPort as MessagePort // this is a thread
const { journal, everyMs, slippageRate, boundRate } = workerData as ComparisonWorkerData // as its starter says

// On Linux a thread has a priority of its own; elsewhere it would be that of the bot.
if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_LOW)

await compareAgainAndAgain()

async function compareAgainAndAgain(): Promise<never> {
  let span: LiveSpan | undefined
  for (;;) {
    try {
      span ??= await LiveSpan.open(new JournalReader(journal), load, { mostKlines: MOST_KLINES, hashOf })
      const following = span
      let isMore = true
      while (isMore)
        await atLowDuty(async () => {
          isMore = await following.readOn(CHUNK)
        })
      if (following.isBegun) await atLowDuty(async () => port.postMessage(await compared(following)))
    } catch (error) {
      span = undefined
      const reason = error instanceof Error ? error.message : String(error)
      port.postMessage({ type: 'failed', reason } satisfies ComparisonUpdate)
    }
    await pause(everyMs)
  }
}

async function atLowDuty(work: () => Promise<void>): Promise<void> {
  const begun = process.threadCpuUsage()
  await work()
  // CPU time, because work at a low priority takes long on a busy machine without costing more.
  const { user, system } = process.threadCpuUsage(begun)
  await pause(((DUTY_PARTS - 1) * (user + system)) / 1000)
}

async function compared(span: LiveSpan): Promise<ComparisonUpdate> {
  const comparison = await compareSpan(span, {
    load,
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate },
    hashOf,
    boundRate,
  })
  const rows = comparisonJson(comparison)
  return {
    type: 'compared',
    comparison: { ...rows, orders: rows.orders.slice(-MOST_ROWS), trips: rows.trips.slice(-MOST_ROWS) },
  }
}
