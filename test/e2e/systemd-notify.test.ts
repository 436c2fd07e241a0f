import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { fileWith, SluiceProcess, strategyFile } from './sluice-process.ts'

it.skipIf(process.platform === 'win32')(
  'a bot tells systemd through systemd-notify how it is, with nothing else in the environment of that program',
  async () => {
    const strategy = strategyFile('idle', '() => undefined')
    const folder = dirname(strategy)
    const told = join(folder, 'told')
    const program = fileWith(
      'systemd-notify',
      `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> '${told}'\nenv >> '${told}.env'\n`,
    )
    chmodSync(program, 0o755)
    const config = fileWith(
      'bot.yaml',
      `venue: { type: simulated, speed: 60 }
strategies: [{ file: ${JSON.stringify(strategy)}, symbol: BTC/USDT, interval: 1m, size: { quote: 100 } }]
control: { socket: ${JSON.stringify(join(folder, 'bot.sock'))} }
`,
    )
    const bot = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'], {
      ...{ NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '600000', SLUICE_API_SECRET: 'planted-secret' },
      PATH: `${dirname(program)}:${process.env.PATH}`,
    })
    const lines = () => (existsSync(told) ? readFileSync(told, 'utf8').split('\n') : [])
    await expect
      .poll(() => lines().filter(line => line.endsWith('WATCHDOG=1')).length, { timeout: 20_000 })
      .toBeGreaterThan(2)
    expect(lines()[0]).toBe('/run/notify READY=1')
    bot.signal('SIGTERM')
    expect(await bot.exitCode).toBe(0)
    await expect.poll(() => lines().includes('/run/notify STOPPING=1')).toBe(true)
    expect(readFileSync(`${told}.env`, 'utf8')).not.toMatch(/planted|SLUICE/)
  },
)
