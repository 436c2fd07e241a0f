import type { BenchRow } from '../bench-row.ts'
import { inOwnProcess } from '../own-process.ts'

/** The memory that a process needs at most while it loads a year of minutes from the store, beside what the columns take. */
export function klineStoreMemory(): BenchRow {
  return {
    name: 'a year of minutes from the store: most memory (bare: the columns)',
    unit: 'kB',
    run: () => inOwnProcess(import.meta.resolve('./kline-store-peak.ts')),
  }
}
