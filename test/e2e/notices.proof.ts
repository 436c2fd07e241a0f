import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { VIEWS } from '../../src/web/sources/views.ts'
import { fakeHttp, type Reply } from '../observe/fake-http.ts'
import { fakeTelegram } from '../observe/fake-telegram.ts'
import { kindsOf, noticedConfig, startNoticed } from './noticed-bot.ts'
import { SluiceProcess } from './sluice-process.ts'

const journalOf = (config: string) =>
  /file: "([^"]+bot\.journal)"/.exec(readFileSync(config, 'utf8'))?.[1] ?? ''

/** Commands of operators in a journal. */
function commandsIn(path: string): readonly unknown[] {
  const reader = new JournalReader(path)
  try {
    return [...reader.entries({ after: 0 })].filter(({ kind }) => kind === 'operator').map(({ body }) => body)
  } finally {
    reader.close()
  }
}

/** A sample of the metrics of a bot. */
async function sampleOf(bot: SluiceProcess, name: string): Promise<number> {
  const { webUrl } = JSON.parse(await bot.line('webUrl'))
  const { body } = await request(new URL('/metrics', webUrl))
  const line = (await body.text()).split('\n').find(one => one.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1))
}

/** Every answer of the window of a bot, with its headers, by a link that logs in. */
async function answersOf(link: string): Promise<readonly string[]> {
  const { origin, hash } = new URL(link)
  const login = await request(`${origin}/api/login`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.slice('#login='.length) }),
  })
  const cookie = String(login.headers['set-cookie']).split(';')[0] ?? ''
  const paths = [
    ...Object.keys(VIEWS).map(view => `/api/views/${view}?id=1`),
    ...['trips', 'orders', 'fills'].map(name => `/api/files/${name}.csv`),
    ...['/api/session', '/api/studies', '/api/nothing', '/metrics', '/health', '/ready', '/page.js', '/'],
  ]
  const answers: string[] = [await login.body.text()]
  for (const path of paths) {
    const { headers, body } = await request(`${origin}${path}`, { headers: { cookie } })
    answers.push(JSON.stringify(headers), await body.text())
  }
  expect(answers.join('')).toContain('"symbol":"BTC/USDT"')
  return answers
}

describe('the notices of a bot in a process of its own', () => {
  it('survive SIGKILL in the middle of a delivery and of a command, which is carried out once; planted secrets are nowhere', async () => {
    const telegram = await fakeTelegram()
    let reply: Reply = { status: 200 }
    const hook = await fakeHttp(() => reply)
    const config = noticedConfig(
      `phone: { type: telegram, chat: 8, apiUrl: '${telegram.url}', operate: [8], severity: critical }, hook: { type: webhook, url: '${hook.url}', secretEnv: SLUICE_HOOK_SECRET }`,
    )
    const first = startNoticed(config)
    await first.line('"purpose":"stopLoss"')
    await expect.poll(() => kindsOf(hook.arrived), { timeout: 20_000 }).toContain('fill')
    // From now on no answer comes: neither to the command nor to the notice about it.
    telegram.replyToMessages(() => 'hang')
    reply = 'hang'
    telegram.send('/halt', { user: 8, chat: 8, id: 900 })
    expect((await telegram.answer()).text).toMatch(/^Trading of the account is halted/)
    await expect.poll(() => kindsOf(hook.arrived), { timeout: 20_000 }).toContain('trading')
    first.signal('SIGKILL')
    await first.exitCode
    const cut = JSON.parse(hook.arrived.at(-1)?.body ?? '')
    const before = hook.arrived.length
    reply = { status: 200 }
    telegram.replyToMessages(() => ({ status: 200, body: { ok: true, result: {} } }))
    const second = startNoticed(config)
    await second.line('"msg":"trading"')
    await expect.poll(() => kindsOf(hook.arrived.slice(before)), { timeout: 30_000 }).toContain('restarted')
    const after = hook.arrived.slice(before).map(({ body }) => JSON.parse(body))
    // The one without an answer comes again, under the same id; what was confirmed does not.
    expect(after[0].id).toBe(cut.id)
    const confirmed = new Set(hook.arrived.slice(0, before - 1).map(({ body }) => JSON.parse(body).id))
    expect(after.filter(({ id }) => confirmed.has(id))).toEqual([])
    expect(after.find(({ kind }) => kind === 'interrupted')?.sentence).toContain(
      '"/halt", sent by Telegram; it is not repeated',
    )
    // Telegram gives the update again, since nobody confirmed it.
    telegram.send('/status', { user: 8, chat: 8, id: 901 })
    await expect.poll(() => telegram.answers.at(-1)?.text, { timeout: 20_000 }).toMatch(/^paper at /)
    // Every delivery of this life was confirmed, and is counted as such.
    const uncounted = async () =>
      hook.arrived.length -
      before -
      (await sampleOf(second, 'sluice_notices_total{channel="hook",result="delivered"}'))
    await expect.poll(uncounted, { timeout: 20_000, interval: 500 }).toBe(0)
    const shown = await answersOf(
      JSON.parse(
        await new SluiceProcess(['src/main.js', 'bot', 'window', '--config', config, '--json']).line(
          'webUrl',
        ),
      ).webUrl,
    )
    expect(shown.length).toBeGreaterThan(10)
    second.signal('SIGTERM')
    expect(await second.exitCode).toBe(0)
    expect(commandsIn(journalOf(config))).toMatchObject([
      { origin: { from: 'telegram', who: 'user8 (8)' }, request: { command: 'halt' }, ok: true },
    ])
    expect(kindsOf(hook.arrived).at(-1)).toBe('stopped')
    const folder = dirname(journalOf(config))
    const files = readdirSync(folder).filter(name => name.includes('journal'))
    const kept = files.map(name => readFileSync(join(folder, name), 'latin1'))
    const all = [
      ...kept,
      first.out,
      first.err,
      second.out,
      second.err,
      ...hook.arrived.map(({ body }) => body),
      ...shown,
      JSON.stringify(telegram.answers),
    ]
    expect(files.length).toBeGreaterThan(2)
    expect(all.filter(text => text.includes('planted-'))).toEqual([])
  })
})
