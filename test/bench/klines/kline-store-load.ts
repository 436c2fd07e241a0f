import { readFileSync } from 'node:fs'
import type { BenchRow } from '../bench-row.ts'
import { inTurns } from '../client/in-turns.ts'
import { storedYear } from './stored-year.ts'

const ROUNDS = 21

/** Klines per second from the store into typed arrays, checksums verified, beside reading the bytes of the same files. */
export function klineStoreLoad(): BenchRow {
  return {
    name: 'a year of minutes from the store, beside reading the bytes of its files',
    unit: 'klines/s',
    async run() {
      using year = await storedYear()
      const ways = {
        sluice: () => year.series.read().length,
        bare: () => year.files.map(path => readFileSync(path)).length,
      }
      ways.sluice()
      return await inTurns(ROUNDS, async who => {
        // What was read before would otherwise be cleared away in the middle.
        globalThis.gc?.()
        // Not the time on the wall: all of it is work of this thread, and others want the processor too.
        const before = process.threadCpuUsage()
        if (ways[who]() === 0) throw new Error('Nothing was read.')
        const { user, system } = process.threadCpuUsage(before)
        return year.klines / ((user + system) / 1e6)
      })
    },
  }
}
