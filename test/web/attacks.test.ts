import { spawn } from 'node:child_process'
import { randomBytes, scryptSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { afterTest } from '../after-test.ts'
import { hasChromium, launchChromium } from '../backtest/report/chromium.ts'
import { ServedWindow, sessionIn } from './served-window.ts'

// Attacks by another way than the window: Telegram users who are not listed, replayed and old commands in
// test/observe/telegram-commands.test.ts; planted secrets, searched in every answer, log, journal and notice, in
// test/e2e/notices.test.ts, and in every view and file in test/web/live-window.test.ts.

const PASSWORD = 'correct horse battery staple'
const HOSTILE = '<img src=x onerror="document.title=1">'

/** Connects ten thousand times to a port, says nothing, and ends once all of these connections were ended for it. */
const IDLE = `const { connect } = require('node:net')
let left = 10_000
const idle = waiting => {
  if (waiting === 0) return
  connect(Number(process.argv[1]), '127.0.0.1', () => idle(waiting - 1))
    .on('error', () => {})
    .on('close', () => --left === 0 && process.exit(0))
}
for (let at = 0; at < 100; at++) idle(100)`

/** A hash of the password that is quick to check: what is tested is how often one may guess. */
function quickHash(): string {
  const salt = randomBytes(16)
  const key = scryptSync(PASSWORD, salt, 32, { N: 1024, r: 8, p: 1 })
  return `scrypt:1024:8:1:${salt.toString('base64url')}:${key.toString('base64url')}`
}

describe('a window that is attacked', { timeout: 60_000 }, () => {
  it.each([
    ['a foreign Host: another name (DNS rebinding)', { host: 'evil.example' }, 421],
    ['a foreign Host: another port', { host: '127.0.0.1:1' }, 421],
    ['a foreign Origin', { origin: 'https://evil.example' }, 403],
    ['a foreign Origin: a page without one', { origin: 'null' }, 403],
    ['a foreign Origin: a page of the same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a form that calls itself text', { 'content-type': 'text/plain' }, 415],
    ['a session without its CSRF header', { 'x-sluice-csrf': '' }, 403],
    ['a session with the CSRF header of another', { 'x-sluice-csrf': 'A'.repeat(43) }, 403],
    ['nobody who is logged in', { cookie: '' }, 401],
    ['a cookie that was guessed', { cookie: `sluice-1=${'A'.repeat(43)}` }, 401],
  ])('takes no command from %s', async (_who, headers, status) => {
    const window = await ServedWindow.open()
    const answer = await window.command(await window.logIn(), {}, headers)
    expect(answer.status).toBe(status)
    expect(window.commanded).toEqual([])
  })

  it('takes a command of its own page, with who sent it and why', async () => {
    const window = await ServedWindow.open()
    const answer = await window.command(await window.logIn())
    expect([answer.status, answer.json]).toEqual([200, { ok: false, message: 'Done.' }])
    expect(window.commanded).toEqual([
      {
        request: { command: 'halt', reason: 'a drill' },
        origin: { from: 'window', who: 'operate at 127.0.0.1' },
      },
    ])
  })

  it.each([
    ['read', {}, 403, 'role'],
    ['operate', { reason: ' ' }, 400, 'reason'],
    ['operate', { command: 'status' }, 400, 'command'],
    ['operate', { command: 'flatten' }, 400, 'type the name of the bot: demo'],
    ['operate', { command: 'kill', confirm: 'demo2' }, 400, 'type the name of the bot: demo'],
  ] as const)('refuses a command of the role %s with %j', async (role, more, status, text) => {
    const window = await ServedWindow.open()
    const answer = await window.command(await window.logIn(role), more)
    expect([answer.status, answer.json.error]).toEqual([status, expect.stringContaining(text)])
    expect(window.commanded).toEqual([])
  })

  it('stolen cookie after logout: shows nothing of the bot, as to who never logged in', async () => {
    const window = await ServedWindow.open({}, {}, { overview: { secret: 1 } })
    const paths = ['/api/session', '/api/views/overview', '/api/files/trips.csv', '/api/events']
    for (const path of paths) expect((await window.call('GET', path)).status).toBe(401)
    const session = await window.logIn()
    expect((await window.call('GET', '/api/views/overview', session)).json).toEqual({ secret: 1 })
    await window.call('POST', '/api/logout', session, {})
    for (const path of paths) expect((await window.call('GET', path, session)).status).toBe(401)
    expect((await window.command(session)).status).toBe(401)
  })

  it('logs in by a link once, and within a minute only', async () => {
    let now = 0
    const window = await ServedWindow.open({}, { now: () => now })
    const login = (url: string) =>
      window.call('POST', '/api/login', {}, { token: url.split('#login=')[1] }).then(({ status }) => status)
    const url = window.server.loginUrl('operate')
    expect([await login(url), await login(url)]).toEqual([200, 401])
    const late = window.server.loginUrl('operate')
    now += 60_001
    expect(await login(late)).toBe(401)
  })

  it('lets a session end after twelve hours without a request', async () => {
    let now = 0
    const window = await ServedWindow.open({}, { now: () => now })
    const session = await window.logIn()
    now += 12 * 3_600_000
    expect((await window.call('GET', '/api/session', session)).status).toBe(200)
    now += 12 * 3_600_000 + 1
    expect((await window.call('GET', '/api/session', session)).status).toBe(401)
  })

  it('keeps its cookie from scripts, other sites and other ports', async () => {
    const window = await ServedWindow.open()
    const token = window.server.loginUrl('operate').split('#login=')[1]
    const { headers } = await window.call('POST', '/api/login', {}, { token })
    const { port } = new URL(window.url)
    expect(headers['set-cookie']).toMatch(
      new RegExp(`^sluice-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    )
  })

  it('brute force of the password: waits twice as long each time, and takes the right one then', async () => {
    let now = 0
    const window = await ServedWindow.open({ passwords: { operate: quickHash() } }, { now: () => now })
    const login = (password: string) => window.call('POST', '/api/login', {}, { password })
    const statuses: number[] = []
    for (let guess = 0; guess < 5; guess++) statuses.push((await login(`guess ${guess}`)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401])
    const waiting = await login(PASSWORD)
    expect([waiting.status, waiting.headers['retry-after']]).toEqual([429, '1'])
    now += 1000
    expect((await login('guess 5')).status).toBe(401)
    now += 1999
    expect((await login(PASSWORD)).status).toBe(429)
    now += 1
    const right = await login(PASSWORD)
    expect(right.status).toBe(200)
    expect((await window.command(sessionIn(right))).status).toBe(200)
  }, 20_000)

  it('oversized bodies: takes none of more than 4 KB, and no broken JSON', async () => {
    const window = await ServedWindow.open()
    const session = await window.logIn()
    expect((await window.command(session, { reason: 'x'.repeat(5000) })).status).toBe(413)
    expect((await window.call('POST', '/api/commands', session, '{"command"')).status).toBe(400)
    expect(
      (await window.call('POST', '/api/commands', session, '{"__proto__":{"command":"halt"}}')).status,
    ).toBe(400)
    expect(window.commanded).toEqual([])
  })

  it.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/page.js/../../../package.json',
    '/api/files/..%2f..%2fetc%2fpasswd',
    '/api/views/__proto__',
    '/api/views/constructor',
  ])('path traversal: serves no file for %s', async path => {
    const window = await ServedWindow.open()
    const session = await window.logIn()
    const socket = await connected(window)
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${new URL(window.url).host}\r\nCookie: ${session.cookie}\r\nConnection: close\r\n\r\n`,
    )
    const answer = await allOf(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 (?:404|400)/)
    expect(answer).not.toContain('devDependencies')
  })

  it.each(['/', '/page.js', '/api/session', '/nothing'])('sends its policies with %s', async path => {
    const window = await ServedWindow.open()
    const { headers } = await window.call('GET', path)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/)
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([])
  })

  it('answers a preflight of another page with no permission', async () => {
    const window = await ServedWindow.open()
    const socket = await connected(window)
    socket.write(
      `OPTIONS /api/commands HTTP/1.1\r\nHost: ${new URL(window.url).host}\r\nOrigin: https://evil.example\r\nConnection: close\r\n\r\n`,
    )
    const answer = await allOf(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 403/)
    expect(answer.toLowerCase()).not.toContain('access-control')
  })

  it('slow readers: cuts them off, counts them, and tells others meanwhile', async () => {
    let version = 0
    const window = await ServedWindow.open({}, { streams: { everyMs: 1, patienceMs: 50 } })
    const filler = 'x'.repeat(200_000)
    window.server.serve({
      bot: 'demo',
      isLive: true,
      // As large as many messages, so that the buffers of the system fill at once.
      version: () => `${++version} ${filler}` as unknown as number,
      read: async () => ({}),
      file: async () => undefined,
      operate: async () => ({ ok: false, message: '', isUsage: false }),
    })
    const session = await window.logIn()
    const deaf = await connected(window)
    deaf.pause()
    deaf.write(
      `GET /api/events HTTP/1.1\r\nHost: ${new URL(window.url).host}\r\nCookie: ${session.cookie}\r\n\r\n`,
    )
    while (window.server.streams.dropped === 0) await new Promise(resolve => setTimeout(resolve, 10))
    expect(window.server.streams).toMatchObject({ open: 0, dropped: 1 })
    expect((await window.call('GET', '/api/session', session)).status).toBe(200)
  }, 20_000)

  it('refuses more streams than it has room for, and counts them', async () => {
    const window = await ServedWindow.open({}, { streams: { mostStreams: 1 } })
    const session = await window.logIn()
    const first = await connected(window)
    first.write(
      `GET /api/events HTTP/1.1\r\nHost: ${new URL(window.url).host}\r\nCookie: ${session.cookie}\r\n\r\n`,
    )
    await once(first, 'data')
    expect((await window.call('GET', '/api/events', session)).status).toBe(429)
    expect(window.server.streams).toEqual({ open: 1, dropped: 0, refused: 1 })
  })

  it('ends the stream of a session that logs out', async () => {
    const window = await ServedWindow.open({}, { streams: { everyMs: 1 } })
    const session = await window.logIn()
    const socket = await connected(window)
    socket.write(
      `GET /api/events HTTP/1.1\r\nHost: ${new URL(window.url).host}\r\nCookie: ${session.cookie}\r\nConnection: close\r\n\r\n`,
    )
    await once(socket, 'data')
    await window.call('POST', '/api/logout', session, {})
    await once(socket, 'close')
    expect(window.server.streams.open).toBe(0)
  })

  it('serves its page while a hundred connections say nothing, and sends idle ones away', async () => {
    const window = await ServedWindow.open({}, { silenceMs: 300 })
    const idle = await Promise.all(Array.from({ length: 99 }, () => connected(window)))
    expect((await window.call('GET', '/')).status).toBe(200)
    await Promise.all(idle.map(socket => (socket.closed ? undefined : once(socket, 'close'))))
    expect((await window.call('GET', '/')).status).toBe(200)
  })

  it('ten thousand idle connections: turns them away, and serves its page as soon as they end', async () => {
    const window = await ServedWindow.open({}, { silenceMs: 300 })
    // In a process of its own, so that only the server takes time here.
    const attacker = spawn(process.execPath, ['--eval', IDLE, new URL(window.url).port], { stdio: 'ignore' })
    expect(await once(attacker, 'exit')).toEqual([0, null])
    expect((await window.call('GET', '/')).status).toBe(200)
  }, 60_000)

  it('bounds how often a session may ask', async () => {
    const window = await ServedWindow.open({}, { now: () => 0 }, { overview: {} })
    const session = await window.logIn()
    const statuses = await Promise.all(
      Array.from({ length: 70 }, () =>
        window.call('GET', '/api/views/overview', session).then(one => one.status),
      ),
    )
    expect(statuses.filter(status => status === 200)).toHaveLength(60)
    expect(statuses.filter(status => status === 429)).toHaveLength(10)
  })
})

describe.skipIf(!hasChromium())('a browser with a window that is attacked', { timeout: 60_000 }, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterAll(() => browser.close())

  it('a page that frames ours: is shown nothing in its frame', async () => {
    const window = await ServedWindow.open()
    const thief = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<title>thief</title><iframe src="${window.url}/"></iframe>`)
    }).listen(0, '127.0.0.1')
    afterTest(() => thief.close())
    await once(thief, 'listening')
    const page = await browser.newPage()
    afterTest(() => page.close())
    const { port } = thief.address() as { readonly port: number } // it listens on TCP
    const refused = page.waitForEvent('console', message => message.text().includes('frame-ancestors'))
    await page.goto(`http://127.0.0.1:${port}/`)
    await refused
    const [, frame] = page.frames()
    expect(await frame?.evaluate(`document.querySelector('#main') === null`)).toBe(true)
  })

  it("script in a strategy's tag or an exchange's message: is shown as text", async () => {
    const order = {
      ...{ clientOrderId: HOSTILE, symbol: 'BTC/USDT', strategy: HOSTILE, side: 'buy', purpose: 'entry' },
      ...{ plan: HOSTILE, quantity: '1 BTC', filled: '0 BTC', status: 'rejected', decidedAt: 0, endedAt: 1 },
      ...{ reason: HOSTILE, steps: [{ time: 0, what: HOSTILE }], fills: [] },
    }
    const trip = {
      ...{
        symbol: 'BTC/USDT',
        direction: 'long',
        quantity: '1 BTC',
        entryTime: 0,
        entryPrice: '1',
        exitTime: 1,
      },
      ...{ exitPrice: '1', pnl: '0', fees: '0', quote: HOSTILE, entryReason: 'entry', exitReason: 'exit' },
      tag: HOSTILE,
    }
    const counts = { overCount: { all: 1, kept: 1 }, tripCount: { all: 1, kept: 1 } }
    const window = await ServedWindow.open(
      {},
      {},
      { orders: { working: [], positions: [], over: [order], trips: [trip], ...counts }, order },
    )
    const page = await browser.newPage()
    afterTest(() => page.close())
    await page.goto(window.server.loginUrl('operate'))
    await page.waitForSelector('nav a[aria-current]')
    await page.click('nav a[href="#orders"]')
    await page.waitForSelector('html[data-ready="orders"]')
    expect((await page.locator('main').innerText()).split(HOSTILE).length).toBeGreaterThan(2)
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).toContain('demo')
  })
})

async function connected(window: ServedWindow): Promise<Socket> {
  const { hostname, port } = new URL(window.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {}) // a connection that is cut off
  afterTest(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

async function allOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}
