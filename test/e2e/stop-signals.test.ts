import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fileWith, ROOT, SluiceProcess, strategyFile } from './sluice-process.ts'

/** A bot on a simulated exchange of its own, without a journal. */
function config(): string {
  const file = strategyFile('idle', '() => undefined')
  return fileWith(
    'bot.yaml',
    `strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]\n`,
  )
}

/** `npm start` in a group of its own, so that a signal reaches npm alone; and its output once it holds a text. */
function npmStart() {
  const npm = spawn('npm', ['start', '--', '--config', config(), '--json'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let out = ''
  const ended = new Promise<void>(resolve => npm.stdout.once('close', resolve))
  npm.stdout.on('data', chunk => {
    out += String(chunk)
  })
  onTestFinished(() => {
    try {
      if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL')
    } catch {} // nothing of it is left
  })
  const until = async (text: string) => {
    while (!out.includes(text)) await once(npm.stdout, 'data')
  }
  return { npm, until, ended, out: () => out }
}

describe('a signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'to npm reaches the bot: %s',
    async name => {
      const { npm, until, ended, out } = npmStart()
      await until('"msg":"trading"')
      npm.kill(name)
      // Closed once the bot itself, which writes there, has ended.
      await ended
      expect(out()).toContain('"msg":"shutting down"')
      expect(out()).toContain('"leftBehind":"Nothing of this bot is held.')
    },
    60_000,
  )

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'that comes twice at once stops the bot in order: %s',
    async name => {
      const bot = new SluiceProcess(['src/main.js', 'start', '--config', config(), '--json'])
      await bot.line('"msg":"trading"')
      bot.signal(name)
      await bot.line('"msg":"shutting down"')
      bot.signal(name)
      bot.signal('SIGINT')
      expect(await bot.exitCode).toBe(0)
      expect(bot.out).toContain('"leftBehind":"Nothing of this bot is held.')
    },
    60_000,
  )
})
