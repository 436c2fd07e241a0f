import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { resumableBacktest } from '../../backtest/run/run-backtest.ts'
import { loadStrategy } from '../../src/bot/start/load-strategy.ts'
import { inTurns } from '../../src/cli/backtest/in-turns.ts'
import { isFailureOfStrategy } from '../../src/sandbox/strategy-scope.ts'
import { backtestOf } from '../backtest/validation/backtest-of.ts'
import { LATER_MOMENTS, LATER_USES, MOMENTS, USES } from './forbidden-uses.ts'

// Writes what a backtest tells of every forbidden use at every moment, as JSON: the globals of Node, and [use, moment, message][].
const CONTRACT = JSON.stringify(resolve(import.meta.dirname, '../../src/strategy/index.ts'))
const IMPORTS = `import { defineStrategy, enterLong, every } from ${CONTRACT}\n`
const ROWS = Array.from({ length: 5 }, () => [100, 101, 99, 100] as const)

process.on('unhandledRejection', cause => {
  if (!isFailureOfStrategy(cause)) throw cause
})
const folder = mkdtempSync(join(tmpdir(), 'sluice-'))
const told: (readonly [string, string, string])[] = []
for (const [code] of USES) for (const moment of Object.keys(MOMENTS)) await tell(code, moment)
for (const [code] of LATER_USES) for (const moment of LATER_MOMENTS) await tell(code, moment)
rmSync(folder, { recursive: true })
process.stdout.write(JSON.stringify({ globals: Object.getOwnPropertyNames(globalThis), told }))

async function tell(code: string, moment: string): Promise<void> {
  const [text = '', helper] = MOMENTS[moment]?.(code).split('//helper\n') ?? []
  const place = join(folder, String(told.length))
  mkdirSync(place)
  if (helper !== undefined) writeFileSync(join(place, 'helper.ts'), helper)
  writeFileSync(join(place, 'careless.ts'), IMPORTS + text)
  told.push([code, moment, await messageOf(join(place, 'careless.ts'))])
}

async function messageOf(file: string): Promise<string> {
  try {
    const strategy = await loadStrategy(file)
    strategy.parameterValues({})
    strategy.feeds({})
    await inTurns(resumableBacktest(backtestOf(strategy, ROWS)))
    return 'It ran.'
  } catch (error) {
    return String(error)
  }
}
