import type { BenchRow } from '../bench-row.ts'
import { inOwnProcess } from '../own-process.ts'

/** The memory that a process needs at most while it imports a year of minutes from CSV.gz, beside what the columns take. */
export function klineImportMemory(): BenchRow {
  return {
    name: 'import of a year of minutes from CSV.gz: most memory (bare: the columns)',
    unit: 'kB',
    run: () => inOwnProcess(import.meta.resolve('./kline-import-peak.ts')),
  }
}
