import { spawnSync } from 'node:child_process'
import { renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileWith, ROOT, SluiceProcess, strategyFile } from './sluice-process.ts'

/** Runs a command of the project to its end. */
function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/main.js', ...args], { cwd: ROOT })
  return { status, out: String(stdout), err: String(stderr) }
}

describe('a backup of a running bot', () => {
  it('goes on with its position after the machine was lost', { timeout: 60_000 }, async () => {
    const strategy = strategyFile(
      'holder',
      "(_kline, { position }) => position.direction === 'flat' ? enterLong({ stopLoss: { fraction: 0.5 } }) : undefined",
    )
    const folder = dirname(strategy)
    const journal = join(folder, 'record', 'bot.journal')
    const copy = join(folder, 'kept', 'bot.journal')
    const config = fileWith(
      'bot.yaml',
      `bot: kept
venue: { type: simulated, speed: 120 }
strategies: [{ file: ${JSON.stringify(strategy)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
journal: { file: ${JSON.stringify(journal)} }
control: { socket: ${JSON.stringify(join(folder, 'bot.sock'))} }
`,
    )
    const status = () => JSON.parse(run('bot', 'status', '--config', config, '--json').out).status
    const first = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'])
    await first.line('"fill"')
    await first.line('"kline"', 'out', 3)
    const { positions, balances } = status()
    const made = run('backup', journal, copy, '--json')
    expect([made.status, made.err]).toEqual([0, ''])
    const { entries, ...files } = JSON.parse(made.out)
    expect(entries).toBeGreaterThan(3)
    expect(files).toEqual({ file: copy, exchange: `${copy}.exchange` })
    for (const path of [copy, `${copy}.exchange`]) expect(statSync(path).mode & 0o777).toBe(0o600)
    first.signal('SIGKILL')
    await first.exitCode
    rmSync(dirname(journal), { recursive: true })
    renameSync(dirname(copy), dirname(journal))
    const second = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'])
    await second.line('"restored from the journal"')
    await second.line('"trading"')
    expect(status()).toMatchObject({ positions, balances, comparison: 'agreed' })
    second.signal('SIGTERM')
    expect(await second.exitCode).toBe(0)
    const replayed = run('replay', journal)
    expect([replayed.status, replayed.out]).toEqual([
      0,
      expect.stringContaining('every decision is the same'),
    ])
  })
})
