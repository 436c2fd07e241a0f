import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SluiceProcess } from '../e2e/sluice-process.ts'
import { copyOfProject, runIn } from '../project-copy.ts'
import { blocksOf, commandsOf } from './guide-pages.ts'

describe('the commands of README.md and the guide', () => {
  it('of README.md can be typed in a clean copy', async () => {
    const folder = copyOfProject()
    const [start, test, ...others] = commandsOf('../README.md')
    expect([start, test]).toEqual(['npm ci && npm start', 'npm ci && npm test'])
    for (const command of ['npm start -- --stop-after 1s', ...others]) {
      const { exitCode, err } = await runIn(folder, 'sh', '-c', command)
      expect([command, exitCode, exitCode === 0 ? '' : err]).toEqual([command, 0, ''])
    }
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/i)
  })

  it('of the operator can be typed beside a running bot, and its journal replayed', async () => {
    const folder = copyOfProject()
    const bot = new SluiceProcess(['src/main.js', 'start', '--json'], {}, folder)
    await bot.line('"msg":"trading"')
    const typed = commandsOf('operating.md').filter(command => command.startsWith('npm run -s bot'))
    expect(typed.length).toBeGreaterThan(3)
    for (const command of typed) {
      const { exitCode, err } = await runIn(folder, 'sh', '-c', command)
      expect([command, exitCode, err]).toEqual([command, 0, ''])
    }
    bot.signal('SIGINT')
    expect(await bot.exitCode).toBe(0)
    const { exitCode, out } = await runIn(folder, 'sh', '-c', 'npm run -s replay -- data/paper.journal')
    expect([exitCode, exitCode === 0 ? '' : out]).toEqual([0, ''])
  })

  it('of the exchange client lead to an order that is placed, canceled and listed', async () => {
    const folder = copyOfProject()
    const [block] = blocksOf('exchange-client.md').filter(({ file }) => file === 'first-call.ts')
    const exchange = new SluiceProcess(['src/main.js', 'exchange', '--json'], {}, folder)
    const { spotUrl } = JSON.parse(await exchange.line('spotUrl'))
    expect(commandsOf('exchange-client.md')).toEqual(['npm run exchange -- --port 8090'])
    writeFileSync(
      join(folder, 'first-call.ts'),
      block?.text.replaceAll('http://127.0.0.1:8090', spotUrl) ?? '',
    )
    const { exitCode, out, err } = await runIn(folder, process.execPath, 'first-call.ts')
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z canceled\n$/)
  })
})
