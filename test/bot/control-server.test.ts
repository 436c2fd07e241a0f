import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Client } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askBot, BotNotRunningError, BotSilentError } from '../../src/bot/control/control-client.ts'
import { startControlServer } from '../../src/bot/control/control-server.ts'
import { controlSocketOf } from '../../src/bot/control/control-socket.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-control-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function socketPath(): string {
  return join(temporaryFolder(), 'inside', 'bot.sock')
}

/** A process that is killed leaves its socket behind. */
async function leaveSocketOfDeadProcess(path: string): Promise<void> {
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
  await once(spawn(process.execPath, ['--eval', script]), 'close')
}

async function opened(path: string) {
  const server = await startControlServer(path)
  onTestFinished(() => server.close())
  return server
}

describe('the control socket', () => {
  it('answers requests once the bot is ready', async () => {
    const path = socketPath()
    const server = await opened(path)
    const starting = await askBot(path, { command: 'status' })
    expect(starting).toEqual({ ok: false, message: 'The bot is still starting.', isUsage: false })
    server.serve(async (request, { from, who }) => ({
      ok: false,
      message: `${JSON.stringify(request)} of ${who} at the ${from}`,
      isUsage: false,
    }))
    expect(await askBot(path, { command: 'pause', forMs: 5 })).toMatchObject({
      message: `{"command":"pause","forMs":5} of ${userInfo().username} at the terminal`,
    })
  })

  it('says of a bot that does not answer what may block it and what to do', async () => {
    const path = join(temporaryFolder(), 'silent.sock')
    const silent = createServer(() => undefined)
    silent.listen(path)
    await once(silent, 'listening')
    onTestFinished(() => silent.closeAllConnections())
    onTestFinished(() => void silent.close())
    const asked = askBot(path, { command: 'status' }, 50)
    await expect(asked).rejects.toThrow(
      /has not answered for 0\.05 seconds, although its process runs.* SIGKILL/,
    )
    await expect(asked).rejects.toBeInstanceOf(BotSilentError)
  })

  it('is for its user alone', async () => {
    const path = socketPath()
    await opened(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  })

  it('is gone after the bot, and says so', async () => {
    const path = socketPath()
    const server = await startControlServer(path)
    await server.close()
    expect(existsSync(path)).toBe(false)
    await expect(askBot(path, { command: 'status' })).rejects.toThrow(BotNotRunningError)
  })

  it('refuses a second bot, and takes the place of one that died', async () => {
    const path = socketPath()
    const first = await startControlServer(path)
    await expect(startControlServer(path)).rejects.toThrow(UsageError)
    await first.close()
    await leaveSocketOfDeadProcess(path)
    expect(statSync(path).isSocket()).toBe(true)
    await opened(path)
    expect(await askBot(path, { command: 'status' })).toMatchObject({ ok: false })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['an ordinary file', (path: string) => writeFileSync(path, 'a strategy')],
    ['a folder', (path: string) => mkdirSync(path)],
    [
      'a symbolic link',
      (path: string) => {
        writeFileSync(`${path}.target`, 'a strategy')
        symlinkSync(`${path}.target`, path)
      },
    ],
  ])('refuses %s at its path, and leaves it alone', async (kind, make) => {
    const path = join(temporaryFolder(), 'bot.sock')
    make(path)
    const before = lstatSync(path)
    await expect(startControlServer(path)).rejects.toThrow(
      new UsageError(
        `control.socket names ${path}, which is ${kind}. Give a path where no file is: the bot makes the socket itself.`,
      ),
    )
    expect(lstatSync(path)).toMatchObject({ ino: before.ino, mode: before.mode, size: before.size })
    if (kind !== 'a folder') expect(readFileSync(path, 'utf8')).toBe('a strategy')
  })

  it('says so where its folder cannot be made', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    await expect(startControlServer(join(folder, 'file', 'bot.sock'))).rejects.toThrow(/^The control socket /)
  })

  it('does not pass on what is no request', async () => {
    const path = socketPath()
    const server = await opened(path)
    server.serve(() => Promise.reject(new Error('Nothing should come here.')))
    const client = new Client('http://bot', { socketPath: path })
    for (const body of ['{"command":"explode"}', '{"command":"halt","sudo":true}', '{}']) {
      const headers = { 'content-type': 'application/json' }
      const response = await client.request({ method: 'POST', path: '/operate', headers, body })
      expect(await response.body.json()).toMatchObject({ ok: false, isUsage: true })
    }
    await client.close()
  })

  it('has a place of its own for every configuration file', () => {
    const bot = { bot: 'my bot', control: {} }
    const [first, again, other] = ['a.yaml', './a.yaml', 'b.yaml'].map(path => controlSocketOf(bot, path))
    expect(first).toBe(again)
    expect(first).toMatch(/^data\/control\/my-bot-[0-9a-f]{8}\.sock$/)
    expect(other).not.toBe(first)
    expect(controlSocketOf({ bot: 'x', control: { socket: 'here.sock' } }, 'a.yaml')).toBe('here.sock')
    expect(() => controlSocketOf({ bot: 'x', control: { socket: 'x'.repeat(104) } }, 'a.yaml')).toThrow(
      UsageError,
    )
  })
})
