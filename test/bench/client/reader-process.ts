import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

/** What a page reads whenever something has changed, at most once a second. */
const VIEWS = ['overview', 'chart', 'decisions', 'orders']
const REST_MS = 1000

/** Further readers of a window: sessions that read, the first of them open a stream and never read it. */
interface Readers {
  readonly links: readonly string[]
  readonly dead: number
  /** True ends those before. */
  readonly isFirst: boolean
}

const sockets: Socket[] = []
let generation = 0

// A process of its own, started by window-readers.ts.
process.on('message', async ({ links, dead, isFirst }: Readers) => {
  if (isFirst) {
    generation++
    for (const socket of sockets.splice(0)) socket.destroy()
  }
  const own = generation
  const sessions = await Promise.all(links.map(logIn))
  sessions.forEach(({ url, cookie }, place) => {
    if (place < dead) sockets.push(deaf(url, cookie))
    else void readOn(url, cookie, () => generation !== own)
  })
  process.send?.('ready')
})

async function logIn(link: string): Promise<{ readonly url: URL; readonly cookie: string }> {
  const [address = '', token = ''] = link.split('/#login=')
  const url = new URL(address)
  const answer = await fetch(`${url.origin}/api/login`, {
    method: 'POST',
    headers: { origin: url.origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  if (!answer.ok) throw new Error(`A reader could not log in: ${await answer.text()}`)
  return { url, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/** Opens a stream and leaves it unread: it is cut off after some seconds. */
function deaf(url: URL, cookie: string): Socket {
  const socket = connect(Number(url.port), url.hostname)
  socket.pause()
  socket.on('error', () => {})
  socket.write(`GET /api/events HTTP/1.1\r\nHost: ${url.host}\r\nCookie: ${cookie}\r\n\r\n`)
  return socket
}

async function readOn(url: URL, cookie: string, isOver: () => boolean): Promise<void> {
  const pool = new Pool(url.origin, { connections: 1 })
  while (!isOver()) {
    for (const view of VIEWS) {
      const { body } = await pool.request({ path: `/api/views/${view}`, method: 'GET', headers: { cookie } })
      await body.dump()
    }
    await sleep(REST_MS)
  }
  await pool.close()
}
