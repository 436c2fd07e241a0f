import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Table from 'cli-table3'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { benchKlines } from '../klines/bench-klines.ts'

/**
 * Backtests of Sluice beside those of other frameworks, on the same klines in one run. Give it the Pythons that have the
 * other frameworks; those that none of them has are left out, with a line that says so.
 */

/** What a run cost and came to. */
interface Measured {
  readonly version: string
  /** CPU time of the run alone. */
  readonly seconds: number
  readonly fills: number
  /** In quote, at the last close. */
  readonly worth: number
  readonly peakKb: number
}

const PEERS = [
  ['backtesting.py', 'backtesting', import.meta.resolve('./backtesting_py.py')],
  ['vectorbt', 'vectorbt', import.meta.resolve('./vectorbt_py.py')],
  ['NautilusTrader', 'nautilus_trader', import.meta.resolve('./nautilus_py.py')],
] as const
const CASES = [
  ['many', 'averages of 10 and 30 klines, 1% of the equity'],
  ['few', 'averages of 200 and 1,000 klines, 95% of the equity'],
] as const

const pythons = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'sluice-peers-'))
try {
  const { source, klines } = await benchKlines()
  const file = join(folder, 'klines.f64')
  writeFileSync(file, rowsOf(klines))
  console.log(
    `${klines.length} klines of ${source}; a market order at every crossing, 0.1% fee, no slippage.`,
  )
  for (const [name, title] of CASES) {
    const table = new Table({
      head: [title, 'CPU s', 'fills', 'worth at the end', 'memory, MB'],
      colAligns: ['left', 'right', 'right', 'right', 'right'],
      style: { head: [], border: [], compact: true },
    })
    const add = (who: string, { version, seconds, fills, worth, peakKb }: Measured) =>
      table.push([
        `${who} ${version}`,
        seconds.toFixed(3),
        fills,
        worth.toFixed(2),
        Math.round(peakKb / 1024),
      ])
    add('Sluice,', await measured(process.execPath, import.meta.resolve('./sluice-peer.ts'), name, 'first'))
    add('Sluice,', await measured(process.execPath, import.meta.resolve('./sluice-peer.ts'), name, 'warm'))
    for (const [who, module, script] of PEERS) {
      const python = pythons.find(candidate => has(candidate, module))
      if (python === undefined) console.log(`${who} is left out: no given Python has ${module}.`)
      else add(who, await measured(python, script, file, name))
    }
    console.log(table.toString())
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** `script`: the URL of its file. */
async function measured(program: string, script: string, ...values: readonly string[]): Promise<Measured> {
  const { stdout } = await promisify(execFile)(program, [fileURLToPath(script), ...values])
  // Some frameworks print lines of their own first.
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

function has(python: string, module: string): boolean {
  try {
    execFileSync(python, ['-c', `import importlib.util; assert importlib.util.find_spec("${module}")`], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

/** Open time, open, high, low, close and volume of each kline, one after the other. */
function rowsOf({ length, openTime, open, high, low, close, volume }: KlineColumns): Float64Array {
  const columns = [openTime, open, high, low, close, volume]
  return Float64Array.from({ length: length * columns.length }, (_, index) => {
    const row = Math.floor(index / columns.length)
    return columns[index % columns.length]?.[row] as number // inside the columns
  })
}
