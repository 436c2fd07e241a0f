import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { passwordHash } from '../../src/web/server/password.ts'
import { afterTest } from '../after-test.ts'
import { ServedWindow, sessionIn } from './served-window.ts'

const PASSWORD = 'correct horse battery staple'

describe('a window that is attacked', { timeout: 60_000 }, () => {
  it.each([
    ['another name (DNS rebinding)', { host: 'evil.example' }, 421],
    ['another port', { host: '127.0.0.1:1' }, 421],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['a page of the same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a form that calls itself text', { 'content-type': 'text/plain' }, 415],
    ['a session without its proof', { 'x-sluice-csrf': '' }, 403],
    ['a session with the proof of another', { 'x-sluice-csrf': 'A'.repeat(43) }, 403],
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

  it('shows nothing of the bot to who is not logged in, nor after the logout with the same cookie', async () => {
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

  it('makes who guesses passwords wait, twice as long each time, and takes the right one then', async () => {
    let now = 0
    const window = await ServedWindow.open(
      { passwords: { operate: await passwordHash(PASSWORD) } },
      { now: () => now },
    )
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

  it('takes no body of more than 4 KB, and no broken JSON', async () => {
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
  ])('serves no file for %s', async path => {
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

  it('cuts off browsers that do not read, counts them, and tells others meanwhile', async () => {
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

  it('turns away ten thousand connections that say nothing, and serves its page as soon as they end', async () => {
    const window = await ServedWindow.open({}, { silenceMs: 300 })
    const { hostname, port } = new URL(window.url)
    const idle: Promise<unknown>[] = []
    for (let wave = 0; wave < 100; wave++) {
      const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname))
      for (const socket of sockets) {
        socket.on('error', () => {}) // turned away
        idle.push(new Promise(resolve => socket.once('close', resolve)))
      }
      await Promise.all(sockets.map(socket => new Promise(resolve => socket.once('connect', resolve))))
    }
    await Promise.all(idle)
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
