import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { peakMemory } from '../peak-memory.ts'
import { storedYear } from './stored-year.ts'

const COLUMNS = 6

// Two processes of its own: one fills a store, which takes more memory than reading, the other reads it.
const folder = process.argv[2]
if (folder === undefined) {
  using year = await storedYear()
  const script = fileURLToPath(import.meta.url)
  process.stdout.write(execFileSync(process.execPath, [script, year.folder]))
} else {
  const series = new KlineStore(folder).klines({ venue: 'bench', symbol: 'BTC/USD', interval: '1m' })
  // So that what the code itself needs is there before.
  const { first = 0 } = series.extent() ?? {}
  series.read({ from: first, to: first + 60_000 })
  globalThis.gc?.()
  const before = peakMemory()
  const { length } = series.read()
  const value = peakMemory() - before
  console.log(JSON.stringify({ value, floor: (length * COLUMNS * 8) / 1024 }))
}
