import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BenchRow } from './bench-row.ts'
import { loadedKlines } from './sma-cross-speed.ts'

const FIRST_RUN = fileURLToPath(import.meta.resolve('./sma-cross-first-run.ts'))

/** A backtest as a user meets it: the first run in a fresh process, without the time to read the file. */
export function smaCrossCold(): BenchRow {
  return {
    name: `backtest sma-cross, cold (${loadedKlines().source})`,
    unit: 'klines/s',
    async run() {
      return { value: await firstRun('sluice'), floor: await firstRun('bare') }
    },
  }
}

async function firstRun(who: 'sluice' | 'bare'): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [FIRST_RUN, who])
  return Number(stdout)
}
