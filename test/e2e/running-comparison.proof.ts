import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { afterTest } from '../after-test.ts'
import { fakeHttp } from '../observe/fake-http.ts'
import { SluiceProcess } from './sluice-process.ts'

function configured(comparison: string, more = ''): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-running-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'bot.yaml')
  writeFileSync(
    path,
    `
bot: beside
venue: { type: simulated, speed: 300, balances: { USDT: 10000 } }
strategies:
  - { file: strategies/sma-cross.ts, symbol: BTC/USDT, interval: 1m, parameters: { fast: 1, slow: 3 }, size: { quote: 2000 } }
journal: { file: ${join(folder, 'bot.journal')} }
control: { socket: ${join(folder, 'bot.sock')} }
comparison: ${comparison}
web: {}
${more}
`,
  )
  return path
}

const start = (path: string, lasting: string) =>
  new SluiceProcess(['src/main.js', 'start', '--config', path, '--json', '--stop-after', lasting])

/** Logs in as the page does, and reads views. */
async function loggedIn(bot: SluiceProcess) {
  const { webUrl } = JSON.parse(await bot.line('webUrl'))
  const { origin, hash } = new URL(webUrl)
  const headers = { origin, 'content-type': 'application/json' }
  const body = JSON.stringify({ token: hash.replace('#login=', '') })
  const answer = await request(`${origin}/api/login`, { method: 'POST', headers, body })
  await answer.body.dump()
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  return async (view: string) => {
    const { body: read } = await request(`${origin}/api/views/${view}`, { headers: { cookie } })
    // biome-ignore lint/suspicious/noExplicitAny: the shape of a view is what a test looks at
    return (await read.json()) as any
  }
}

describe('a running bot', { timeout: 150_000 }, () => {
  it('is compared with its backtest while it trades, and shows it', async () => {
    const bot = start(configured('{ everyMs: 1000, boundRate: 0.5 }'), '120s')
    const read = await loggedIn(bot)
    const line = await bot.line('Live traded as the backtest promised')
    expect(JSON.parse(line)).toMatchObject({ msg: 'live beside the backtest' })
    const { type, comparison } = await read('comparison')
    expect([type, comparison.bot, comparison.verdict]).toEqual(['compared', 'beside', 'asPromised'])
    const amounts = comparison.parts.map(({ amount }: { readonly amount: string }) => Number(amount))
    const sum = amounts.reduce((total: number, amount: number) => total + amount, 0)
    expect(sum).toBeCloseTo(Number(comparison.difference), 9)
    const { chart } = await read('chart?run=backtest')
    expect(chart.fills.time.length).toBeGreaterThan(0)
    bot.signal('SIGTERM')
    expect(await bot.exitCode).toBe(0)
  })

  it('tells by a notice and a metric that it differs from its backtest', async () => {
    const hook = await fakeHttp(() => ({ status: 200 }))
    const channels = `notices: { channels: { hook: { type: webhook, url: '${hook.url}' } } }`
    const bot = start(configured('{ everyMs: 1000, boundRate: 0.000000001 }', channels), '120s')
    const { origin } = new URL(JSON.parse(await bot.line('webUrl')).webUrl)
    const told = () =>
      hook.arrived.map(({ body }) => JSON.parse(body)).find(({ kind }) => kind === 'liveDiffers')
    await expect.poll(told, { timeout: 60_000, interval: 250 }).toMatchObject({
      ...{ state: 'raised', severity: 'warning', title: 'Live differs from the backtest' },
      sentence: expect.stringMatching(/^Live differs from the backtest by .*; all of it has a known cause/),
    })
    const { body } = await request(`${origin}/metrics`)
    const text = await body.text()
    expect(text).toMatch(/^sluice_backtest_differs 1$/m)
    expect(text).toMatch(/^sluice_backtest_difference_ratio -?\d/m)
    bot.signal('SIGTERM')
    expect(await bot.exitCode).toBe(0)
  })

  it('is not compared where its configuration says so', async () => {
    const bot = start(configured('{ run: false }'), '20s')
    const read = await loggedIn(bot)
    await bot.line('"msg":"fill"')
    expect(await read('comparison')).toEqual({ type: 'none' })
    bot.signal('SIGTERM')
    expect(await bot.exitCode).toBe(0)
  })
})
