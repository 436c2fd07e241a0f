import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Journal } from '../../src/journal/journal.ts'
import { CountingJournal } from './counting-journal.ts'
import { DistantExchange } from './distant-exchange.ts'
import type { MemoryRun, MemorySample } from './memory-samples.ts'
import { WeekBot } from './week-bot.ts'
import { WEEK_EXCHANGE } from './week-exchange.ts'
import { journalMegabytes, weigh } from './weight.ts'

const MINUTE = 60_000
/**
 * The ledger forgets the orders that are over by so many at once. Weighed right after that, it remembers the same number
 * every time.
 */
const FORGOTTEN_AT_ONCE = 5000

// What `memorySamples` starts this process with.
const { everyMinutes, samples, keepEntries, ...pace } = JSON.parse(process.argv[2] ?? '') as MemoryRun
const folder = mkdtempSync(join(process.platform === 'linux' ? '/dev/shm' : tmpdir(), 'sluice-week-'))
const path = join(folder, 'week.journal')
const opened = new Journal(path, { keepEntries })
const journal = new CountingJournal(opened)
const exchange = new DistantExchange(WEEK_EXCHANGE)
const bot = new WeekBot(exchange, journal, pace)
let minutes = 0
try {
  await bot.start()
  for (let number = 1; number <= samples; number++)
    console.log(JSON.stringify(await sample(number * everyMinutes)))
} finally {
  opened.close()
  await exchange.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Weighs the bot at the first moment from then on at which the ledger has just forgotten. */
async function sample(atMinute: number): Promise<MemorySample> {
  const startedAt = performance.now()
  await runTo(Math.max(atMinute, minutes))
  const cycle = Math.floor(journal.finished / FORGOTTEN_AT_ONCE)
  while (Math.floor(journal.finished / FORGOTTEN_AT_ONCE) === cycle) await runTo(minutes + 1)
  const seconds = (performance.now() - startedAt) / 1000
  return {
    ...weigh(),
    ...{ minutes, finished: journal.finished, placed: bot.placed, entries: journal.seq, seconds },
    exchangeMegabytes: exchange.heapBytes() / 2 ** 20,
    journalMegabytes: journalMegabytes(path),
  }
}

async function runTo(minute: number): Promise<void> {
  await bot.run((minute - minutes) * MINUTE)
  minutes = minute
}
