import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BenchRow } from '../bench-row.ts'
import { inTurns } from '../client/in-turns.ts'
import { storedYear } from '../klines/stored-year.ts'

const ROUNDS = 7
const ROOT = fileURLToPath(import.meta.resolve('../../..'))
const CPU_AT_EXIT = import.meta.resolve('./cpu-at-exit.ts')

/** A whole command, from a stored year of minutes to a file of results, beside a process that does nothing; in CPU time. */
export function backtestCommand(fast: number, slow: number): BenchRow {
  return {
    name: `the whole command: a stored year to a file of results, sma-cross ${fast}/${slow}`,
    unit: 'ms of CPU',
    async run() {
      using year = await storedYear()
      const inFolder = (name: string) => join(year.folder, name)
      const files = {
        config: inFolder('backtest.yaml'),
        result: inFolder('r.json'),
        time: inFolder('ms.txt'),
      }
      writeFileSync(files.config, 'account: { balance: { USD: 10000 } }\n')
      const parameters = [`fast=${fast}`, `slow=${slow}`].flatMap(each => ['--param', each])
      const command = ['src/main.js', 'backtest', 'strategies/sma-cross.ts', '--store', year.folder]
      const market = ['--venue', 'bench', '--symbol', 'BTC/USD', '--interval', '1m']
      const ways = {
        sluice: [...command, ...market, ...parameters, '--config', files.config, '--json', files.result],
        bare: ['--eval', '0'],
      }
      const measure = async (who: keyof typeof ways) => {
        const env = { ...process.env, CPU_TIME_FILE: files.time }
        await promisify(execFile)(process.execPath, ['--import', CPU_AT_EXIT, ...ways[who]], {
          cwd: ROOT,
          env,
        })
        return Number(readFileSync(files.time, 'utf8'))
      }
      // The first start compiles the modules, which the next ones find compiled.
      await measure('sluice')
      return await inTurns(ROUNDS, measure)
    },
  }
}
