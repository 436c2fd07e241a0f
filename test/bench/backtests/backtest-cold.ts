import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BenchRow } from '../bench-row.ts'
import { inTurns } from '../client/in-turns.ts'
import { BACKTEST_CASES, type BacktestCaseName } from './backtest-cases.ts'

const FIRST_RUN = fileURLToPath(import.meta.resolve('./backtest-first-run.ts'))
const PROCESSES = 7

/**
 * A backtest as a user meets it: the first run of a fresh process, from columns in memory to fills, round trips and equity,
 * without the time to start and to read the file. The median of several processes, Sluice and the bare loop in turns.
 */
export function backtestCold(name: BacktestCaseName): BenchRow {
  return {
    name: `${BACKTEST_CASES[name].name}, fresh process`,
    unit: 'klines/s',
    run: () => inTurns(PROCESSES, who => firstRun(name, who)),
  }
}

async function firstRun(name: BacktestCaseName, who: 'sluice' | 'bare'): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [FIRST_RUN, name, who])
  return Number(stdout)
}
