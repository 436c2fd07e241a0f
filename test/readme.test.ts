import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../backtest/models/fill-settings.ts'
import { runBacktest } from '../backtest/run/run-backtest.ts'
import { backtestSettings } from '../src/cli/backtest/input/backtest-settings.ts'
import { instrumentFrom } from '../src/config/instrument-from.ts'
import type { KlineColumns } from '../src/klines/kline-columns.ts'
import { strategyIn } from '../src/strategy/strategy-module.ts'
import { sluice } from './cli/sluice-process.ts'

const root = resolve(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
/** Beside `strategies/`, so that the imports of the example resolve as they do there. */
const folder = mkdtempSync(join(root, '.readme-'))

afterAll(() => rmSync(folder, { recursive: true }))

describe('the README', () => {
  it('opens with the two commands a newcomer needs', () => {
    const commands = [...readme.matchAll(/^npm ci && npm .*$/gm)].map(([line]) => line)
    expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  })

  it('can be scanned in a minute', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })

  it('has every command of the command line in its table', async () => {
    const { out } = await sluice('--help')
    const commands = [...out.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name)
    const rows = [...readme.matchAll(/^\| `npm (?:run )?([a-z-]+)` \|/gm)].map(([, name]) => name)
    expect(rows.toSorted()).toEqual(commands.toSorted())
  })

  it('names only scripts that exist', () => {
    const named = [...readme.matchAll(/npm run (?:-s )?([a-z-]+)/g)].map(([, name]) => name ?? '')
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter(name => !(name in scripts))).toEqual([])
  })

  it('shows a strategy of at most 20 lines that loads, trades and protects its position', async () => {
    const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
    const file = join(folder, 'my-cross.ts')
    writeFileSync(file, code)
    const strategy = strategyIn(await import(pathToFileURL(file).href), file)
    const { config } = backtestSettings({ config: join(root, 'config/backtest.yaml') })
    const result = runBacktest({
      klines: wave(2000),
      instrument: instrumentFrom(config, 'BTC/USDT'),
      interval: '1h',
      strategy,
      parameters: {},
      balances: config.account.balance,
      size: config.size,
      fills: DEFAULT_FILL_SETTINGS,
      sizingReference: 'decision',
      closeAtEnd: 'no',
    })
    const reasons = new Set(result.roundTrips.map(({ exitReason }) => exitReason))
    expect(result.denials).toEqual([])
    expect([...reasons].sort()).toEqual(['exit', 'stopLoss', 'takeProfit'])
  })
})

/** A market of waves of growing height: small ones cross back, higher ones reach the take-profit, falls hit the stop-loss. */
function wave(length: number): KlineColumns {
  const close = Float64Array.from({ length }, (_, row) => {
    const height = 0.01 + 0.09 * (row / length)
    return Math.round(100 * 10_000 * (1 + height * Math.sin(row / 16) + 0.02 * Math.sin(row / 5))) / 10_000
  })
  const open = Float64Array.from({ length }, (_, row) => close[Math.max(0, row - 1)] ?? 100)
  return {
    length,
    openTime: Float64Array.from({ length }, (_, row) => row * 3_600_000),
    open,
    high: open.map((price, row) => Math.max(price, close[row] ?? price)),
    low: open.map((price, row) => Math.min(price, close[row] ?? price)),
    close,
    volume: new Float64Array(length).fill(1),
  }
}
