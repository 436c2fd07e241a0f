import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Journal } from '../../src/journal/journal.ts'
import { virtualBot } from './virtual-bot.ts'

const SYMBOLS = ['BTC/USDT', 'ETH/USDT', 'XRP/USDT']
const DAY = 86_400_000

/** What a bot holds at the end of a day. */
export interface DaySample {
  readonly day: number
  readonly heapMegabytes: number
  /** Orders sent since the start, and entries of the journal. */
  readonly orders: number
  readonly entries: number
  /** Real time that the day took. */
  readonly seconds: number
}

/**
 * Runs a whole bot on three markets for some days of virtual time, and weighs the heap after each; needs --expose-gc. The
 * ledger remembers up to 10,000 finished orders: the heap grows until that many are over.
 */
export async function* simulatedWeek(days: number): AsyncGenerator<DaySample> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-week-'))
  const journal = new Journal(join(folder, 'week.journal'))
  try {
    const bot = await virtualBot(SYMBOLS, journal)
    for (let day = 1; day <= days; day++) {
      const startedAt = performance.now()
      await bot.clock.advanceTo(bot.clock.now() + DAY)
      bot.check()
      const seconds = (performance.now() - startedAt) / 1000
      globalThis.gc?.()
      const heapMegabytes = process.memoryUsage().heapUsed / 2 ** 20
      yield { day, heapMegabytes, orders: bot.orders(), entries: journal.seq, seconds }
    }
  } finally {
    journal.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
