import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { runCommandLine } from '../../../src/cli/command-line.ts'
import { sliceRows } from '../../../src/klines/slice-klines.ts'
import { peakMemory } from '../peak-memory.ts'
import { benchKlines } from './bench-klines.ts'
import { csvOf } from './csv-of.ts'

const COLUMNS = 6
const MARKET = ['--venue', 'bench', '--symbol', 'BTC/USD', '--interval', '1m']

// Two processes of its own: one makes the files, which takes more memory than reading them, the other imports them.
const folder = process.argv[2]
if (folder === undefined) {
  const files = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  try {
    const { klines } = await benchKlines()
    writeFileSync(join(files, 'year.csv.gz'), gzipSync(csvOf(klines)))
    writeFileSync(join(files, 'short.csv.gz'), gzipSync(csvOf(sliceRows(klines, 0, 2))))
    const peak = Number(execFileSync(process.execPath, [fileURLToPath(import.meta.url), files]))
    console.log(JSON.stringify({ value: peak, floor: (klines.length * COLUMNS * 8) / 1024 }))
  } finally {
    rmSync(files, { recursive: true })
  }
} else {
  // So that what the code itself needs is there before.
  await importFile(join(folder, 'short.csv.gz'), join(folder, 'short'))
  const before = peakMemory()
  await importFile(join(folder, 'year.csv.gz'), join(folder, 'year'))
  console.log(peakMemory() - before)
}

/** Does what the command does; what it tells goes to the other stream. */
async function importFile(file: string, store: string): Promise<void> {
  const streams = { out: process.stderr, err: process.stderr }
  const exitCode = await runCommandLine(
    ['klines', 'import', file, ...MARKET, '--store', store, '--json'],
    streams,
  )
  if (exitCode !== 0) throw new Error(`The import of ${file} ended with ${exitCode}.`)
}
