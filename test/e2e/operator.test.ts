import { chmodSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileWith, SluiceProcess, strategyFile } from './sluice-process.ts'

/** A bot on the simulated exchange that buys whenever it holds nothing, with a stop-loss far away. */
function configOf(): string {
  const file = strategyFile(
    'holder',
    `({ close }, { position }) => (position.direction === 'flat' ? enterLong({ stopLoss: close / 2 }) : undefined)`,
  )
  const folder = dirname(file)
  return fileWith(
    'bot.yaml',
    `venue: { type: simulated, speed: 120 }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
journal: { file: ${JSON.stringify(join(folder, 'record', 'bot.journal'))} }
control: { socket: ${JSON.stringify(join(folder, 'bot.sock'))} }
`,
  )
}

const start = (config: string) => new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'])

/** Runs a command to the bot; returns its exit code and what it wrote. */
async function bot(config: string, ...args: readonly string[]) {
  const command = new SluiceProcess(['src/main.js', 'bot', ...args, '--config', config])
  const exitCode = await command.exitCode
  return { exitCode, out: command.out, err: command.err }
}

/** A command that closes. It answers after eight seconds of the venue at most, less than one of a busy machine: the closing may go on. */
async function closes(config: string, ...args: readonly string[]) {
  const { exitCode, out, err } = await bot(config, ...args)
  if (exitCode !== 0)
    expect([exitCode, out + err]).toEqual([1, expect.stringContaining('Still being closed')])
}

const status = async (config: string) => JSON.parse((await bot(config, 'status', '--json')).out).status

async function left(process: SluiceProcess) {
  process.signal('SIGTERM')
  expect(await process.exitCode).toBe(0)
  expect(process.err).toBe('')
  return JSON.parse(process.lines.at(-1) ?? '')
}

describe('a bot in a process of its own', () => {
  it('is halted with its protection in place, then killed, and stays killed after a restart until it is resumed', async () => {
    const config = configOf()
    const first = start(config)
    await first.line('"purpose":"stopLoss"')
    const halted = await bot(config, 'halt', '--reason', 'a drill')
    expect(halted).toEqual({
      exitCode: 0,
      out: 'Trading of the account is halted. The operator halted: a drill.\n',
      err: '',
    })
    const stopped = await status(config)
    expect(stopped.orders).toEqual([expect.objectContaining({ purpose: 'stopLoss', status: 'open' })])
    expect(stopped.positions['BTC/USDT']).not.toBe('0')
    await closes(config, 'kill')
    await first.line('round trip closed')
    expect(await status(config)).toMatchObject({
      positions: { 'BTC/USDT': '0' },
      trading: [{ scope: 'account', mode: 'halted' }, {}, {}],
    })
    expect(await left(first)).toMatchObject({
      position: { 'BTC/USDT': '0' },
      trading: { account: 'halted' },
      fills: 2,
    })

    const again = start(config)
    await again.line('"msg":"trading halted"')
    await again.line('order denied')
    expect((await bot(config, 'status')).out).toContain(
      'HALTED: trading of the account, by the operator since',
    )
    expect((await bot(config, 'resume')).exitCode).toBe(0)
    await again.line('"msg":"fill"')
    expect(await left(again)).toMatchObject({ trading: { account: 'active' } })
  }, 240_000)

  it('opens nothing while it is paused, is flattened, and goes on by itself', async () => {
    const config = configOf()
    const paused = start(config)
    await paused.line('"msg":"fill"')
    expect((await bot(config, 'pause', '--for', '15m')).exitCode).toBe(0)
    await closes(config, 'flatten', 'BTC/USDT')
    await paused.line('round trip closed')
    await paused.line('order denied')
    await paused.line('"msg":"trading active"')
    // It may have entered again by now.
    const goesOn = paused.lines.findIndex(line => line.includes('"msg":"trading active"'))
    const before = paused.lines.slice(0, goesOn)
    expect(before.filter(line => line.includes('"msg":"fill"'))).toHaveLength(2)
    expect(await left(paused)).toMatchObject({ tradingChanges: 2 })
  }, 240_000)

  it('refuses a second one with the same configuration', async () => {
    const config = configOf()
    const first = start(config)
    await first.line('"msg":"trading"')
    const second = start(config)
    expect(await second.exitCode).not.toBe(0)
    expect(second.err).toMatch(/running already|Another bot works with the journal/)
    const record = dirname(/file: "(.*journal)"/.exec(readFileSync(config, 'utf8'))?.[1] ?? '')
    const modes = ['.', 'bot.journal', 'bot.journal-wal'].map(
      name => statSync(join(record, name)).mode & 0o777,
    )
    expect(modes).toEqual([0o700, 0o600, 0o600])
    await left(first)
    chmodSync(join(record, 'bot.journal'), 0o644)
    const again = start(config)
    await again.line('other users of this machine can read the journal')
    await again.line('"msg":"trading"')
    await left(again)
  }, 60_000)
})

describe('a command to a bot', () => {
  it('says that none is running, or what is wrong with the command', async () => {
    const config = configOf()
    const nobody = await bot(config, 'status')
    expect(nobody).toMatchObject({ exitCode: 1, out: '' })
    expect(nobody.err).toMatch(
      /^No bot with this configuration is running: nobody listens on .*bot\.sock\.\n$/,
    )
    expect(await bot(config, 'pause')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--for <duration>'),
    })
    expect(await bot(config, 'hallt')).toMatchObject({ exitCode: 2, err: expect.stringContaining('halt') })
  }, 60_000)
})
