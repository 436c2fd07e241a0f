import { chmodSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sluiceHere } from '../cli/backtest/in-process.ts'
import { botCommand, left, operatedConfig, startBot } from './operated-bot.ts'
import { SluiceProcess } from './sluice-process.ts'

describe('a bot in a process of its own', () => {
  it('refuses a second one with the same configuration', async () => {
    const config = operatedConfig()
    const first = startBot(config)
    await first.line('"msg":"trading"')
    const second = startBot(config)
    expect(await second.exitCode).not.toBe(0)
    expect(second.err).toMatch(/running already|Another bot works with the journal/)
    const record = dirname(/file: "(.*journal)"/.exec(readFileSync(config, 'utf8'))?.[1] ?? '')
    const modes = ['.', 'bot.journal', 'bot.journal-wal'].map(
      name => statSync(join(record, name)).mode & 0o777,
    )
    expect(modes).toEqual([0o700, 0o600, 0o600])
    await left(first)
    chmodSync(join(record, 'bot.journal'), 0o644)
    const again = startBot(config)
    await again.line('other users of this machine can read the journal')
    await again.line('"msg":"trading"')
    await left(again)
  }, 60_000)
})

describe('a command to a bot', () => {
  it('says that none is running, or what is wrong with the command', async () => {
    const config = operatedConfig()
    const nobody = await sluiceHere('bot', 'status', '--config', config)
    expect(nobody).toMatchObject({ exitCode: 1, out: '' })
    expect(nobody.err).toMatch(
      /^No bot with this configuration is running: nobody listens on .*bot\.sock\.\n$/,
    )
    expect(await sluiceHere('bot', 'pause', '--config', config)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--for <duration>'),
    })
    expect(await sluiceHere('bot', 'hallt', '--config', config)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('halt'),
    })
  }, 60_000)
})

describe('a bot and its status, piped and without --json', () => {
  it('write lines for people, and no JSON', async () => {
    const config = operatedConfig()
    const bot = new SluiceProcess(['src/main.js', 'start', '--config', config])
    await bot.line('Trading begins.')
    const status = await botCommand(config, 'status')
    bot.signal('SIGTERM')
    expect([status.exitCode, status.err, await bot.exitCode, bot.err]).toEqual([0, '', 0, ''])
    expect(status.out).toMatch(/^Trading\n {2}account: active$/m)
    expect(bot.lines).toContain('Summary')
    for (const line of [...bot.lines, ...status.out.split('\n')]) expect(line).not.toMatch(/^[{["]|[}\]"]$/)
  }, 60_000)
})
