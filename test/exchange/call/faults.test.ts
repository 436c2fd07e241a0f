import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, ProxyAgent } from 'undici'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fileBlockStore } from '../../../src/exchange/budget/file-block-store.ts'
import { createSystemClock } from '../../../src/exchange/clock/system-clock.ts'
import {
  createExchangeClient,
  type ExchangeClient,
  type ExchangeClientOptions,
} from '../../../src/exchange/exchange-client.ts'
import { ManualClock } from '../clock/manual-clock.ts'
import { answer, type Behavior, type FaultyServer, faultyServer } from './faulty-server.ts'
import { KEY, NOW, rejectionOf, SECRET } from './scripted-exchange.ts'

const ORDER = { symbol: 'BTC/USDT', type: 'market', side: 'sell', quantity: '1' } as const
const MEGABYTE = 1024 * 1024

async function serve(behavior: Behavior): Promise<FaultyServer> {
  const server = await faultyServer(behavior)
  onTestFinished(() => server.close())
  return server
}

function clientOf(spotUrl: string, options: Partial<ExchangeClientOptions> = {}): ExchangeClient {
  const client = createExchangeClient({
    spotUrl,
    apiKey: KEY,
    apiSecret: SECRET,
    clock: new ManualClock(NOW),
    timeoutMs: 2000,
    timeOffset: () => 0,
    random: () => 0.5,
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

describe('over real HTTP a limit', () => {
  it.each([
    ['429 stops everything for a minute', 429, {}, 60_001],
    ['429 with Retry-After stops everything so long', 429, { 'retry-after': '17' }, 17_000],
    ['418 stops everything for 2 minutes', 418, {}, 120_000],
  ])('%s, and nothing more is sent', async (_name, status, headers, pauseMs) => {
    const server = await serve(response => response.writeHead(status, headers).end('<html>slow down</html>'))
    const { spot } = clientOf(server.url)
    const until = NOW + pauseMs
    for (const call of [() => spot.placeOrder(ORDER), () => spot.placeOrder(ORDER), () => spot.ping()]) {
      expect(await rejectionOf(call())).toMatchObject({ code: 'RATE_LIMITED', reaction: 'retry', until })
    }
    expect(server.seen).toHaveLength(1)
  })

  it('410 pauses one endpoint for its 2 s, and the others go on', async () => {
    const server = await serve((response, seen) =>
      seen.method === 'POST' ? response.writeHead(410).end() : response.end('{}'),
    )
    const { spot } = clientOf(server.url)
    expect(await rejectionOf(spot.placeOrder(ORDER))).toMatchObject({
      code: 'RATE_LIMITED',
      until: NOW + 2001,
    })
    await spot.ping()
    expect(server.seen).toHaveLength(2)
  })

  it('418 is remembered by the next client, which sends nothing until the ban ends', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-ban-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const blockStore = () => fileBlockStore(join(folder, 'ban.json'))
    const server = await serve(response =>
      response.writeHead(server.seen.length > 1 ? 200 : 418).end('{"code":-1003,"msg":"banned"}'),
    )
    const first = clientOf(server.url, { blockStore: blockStore() })
    const until = NOW + 120_000
    expect(await rejectionOf(first.spot.ping())).toMatchObject({ code: 'RATE_LIMITED', until })
    await first.close()
    const banned = clientOf(server.url, { blockStore: blockStore(), clock: new ManualClock(until - 30_000) })
    expect(await rejectionOf(banned.spot.ping())).toMatchObject({ code: 'RATE_LIMITED', until })
    expect(server.seen).toHaveLength(1)
    const free = clientOf(server.url, { blockStore: blockStore(), clock: new ManualClock(until) })
    await rejectionOf(free.spot.ping())
    expect(server.seen).toHaveLength(2)
  })
})

describe('over real HTTP an answer', () => {
  /** Sends 50 MB in pieces as fast as they are taken, and counts what was. */
  function hugeBody(headers: Record<string, string>): { behavior: Behavior; taken: () => number } {
    const piece = Buffer.alloc(MEGABYTE / 4, ' ')
    let taken = 0
    const behavior: Behavior = response => {
      response.writeHead(200, headers)
      const send = (): void => {
        while (taken < 50 * MEGABYTE && !response.destroyed) {
          taken += piece.length
          if (!response.write(piece)) {
            response.once('drain', send)
            return
          }
        }
        response.end()
      }
      send()
    }
    return { behavior, taken: () => taken }
  }

  it('of 50 MB is cut off at 16, in bounded memory and time, and not asked for again', async () => {
    const { behavior, taken } = hugeBody({})
    const server = await serve(behavior)
    const { spot } = clientOf(server.url)
    const before = process.memoryUsage().arrayBuffers
    const startedAt = performance.now()
    const error = await rejectionOf(spot.ping())
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * MEGABYTE)
    expect(error).toMatchObject({ code: 'MALFORMED_RESPONSE', reaction: 'skip', httpStatus: 200 })
    expect(String(error)).toContain('it is longer than 16777216 bytes')
    expect(server.seen).toHaveLength(1)
    // What lies in the buffers of the two sockets has left the server, but is never read.
    expect(taken()).toBeLessThan(30 * MEGABYTE)
  })

  it('that announces 50 MB is not read at all', async () => {
    const { behavior, taken } = hugeBody({ 'content-length': String(50 * MEGABYTE) })
    const server = await serve(behavior)
    const { spot } = clientOf(server.url)
    expect(await rejectionOf(spot.placeOrder(ORDER))).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      reaction: 'reconcile',
    })
    expect(taken()).toBeLessThan(16 * MEGABYTE)
    expect(server.seen).toHaveLength(1)
  })

  /** Never silent for long, never done. */
  const trickle: Behavior = response => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  }

  it('that trickles in for ever ends with the time of the call', async () => {
    const server = await serve(trickle)
    const { spot } = clientOf(server.url, { timeoutMs: 200 })
    const startedAt = performance.now()
    expect(await rejectionOf(spot.placeOrder(ORDER))).toMatchObject({ code: 'UNKNOWN_OUTCOME' })
    expect(await rejectionOf(spot.ping())).toMatchObject({ code: 'NETWORK' })
    expect(performance.now() - startedAt).toBeLessThan(2500)
    expect(server.seen).toHaveLength(4)
  })

  it.each([
    ['whose head does not come', (() => {}) as Behavior],
    ['that falls silent', (response => response.writeHead(200).write('{')) as Behavior],
  ])('%s ends with the time for that', async (_name, behavior) => {
    const server = await serve(behavior)
    const { spot } = clientOf(server.url, { http: { silenceTimeoutMs: 100 }, timeoutMs: 20_000 })
    const error = await rejectionOf(spot.placeOrder(ORDER))
    expect(error).toMatchObject({ code: 'UNKNOWN_OUTCOME' })
    expect(String(error)).toContain('No data arrived for 100 ms.')
  })

  it('that points elsewhere is not followed', async () => {
    const elsewhere = await serve(answer(200, '{"orderId":1}'))
    const server = await serve(response =>
      response.writeHead(307, { location: `${elsewhere.url}/sapi/v2/order` }).end(),
    )
    const error = await rejectionOf(clientOf(server.url).spot.placeOrder(ORDER))
    expect(error).toMatchObject({ code: 'UNKNOWN_OUTCOME', reaction: 'reconcile' })
    expect(elsewhere.seen).toEqual([])
  })
})

describe('a host', () => {
  it('that does not exist was certainly not reached', async () => {
    const { spot } = clientOf('https://exchange.invalid', { timeoutMs: 10_000 })
    const error = await rejectionOf(spot.placeOrder(ORDER))
    expect(error).toMatchObject({ code: 'NOT_SENT', reaction: 'retry' })
  })

  it('that lets every data poll hang does not keep a cancel waiting', async () => {
    const server = await serve((response, seen) => {
      if (seen.method === 'POST') response.end('{"orderId":"1","symbol":"BTCUSDT","status":"CANCELED"}')
    })
    const { spot, state } = clientOf(server.url, { clock: createSystemClock(), timeoutMs: 5000 })
    const polls = Array.from({ length: 200 }, () => spot.ping().catch((error: unknown) => error))
    await expect.poll(() => server.seen.length, { timeout: 4000 }).toBe(57)
    expect(state().calls).toMatchObject({ inFlight: { used: 57, limit: 64 }, waiting: { market: 143 } })
    const startedAt = performance.now()
    await spot.cancelOrder({ symbol: 'BTC/USDT', orderId: '1' })
    expect(performance.now() - startedAt).toBeLessThan(500)
    void Promise.all(polls)
  })
})

describe('a dispatcher of the user', () => {
  it('connects for the requests, and is not closed with the client', async () => {
    const server = await serve(answer(200, '{"orderId":"7","status":"NEW"}'))
    const dispatcher = new Agent()
    onTestFinished(() => dispatcher.close())
    const connected = vi.fn()
    dispatcher.on('connect', connected)
    const { spot, close } = clientOf(server.url, { http: { dispatcher } })
    expect((await spot.placeOrder(ORDER)).orderId).toBe('7')
    await spot.ping()
    await close()
    await clientOf(server.url, { http: { dispatcher } }).spot.ping()
    expect(connected).toHaveBeenCalledTimes(1)
    expect(server.seen).toHaveLength(3)
  })

  it('may go by way of a proxy', async () => {
    const server = await serve(answer(200, '{"orderId":"7","status":"NEW"}'))
    const tunnels: (string | undefined)[] = []
    const proxy = createServer().on('connect', ({ url }, client) => {
      tunnels.push(url)
      const { hostname, port } = new URL(`http://${url}`)
      const upstream = connect(Number(port), hostname, () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
      client.pipe(upstream).pipe(client)
      for (const end of [client, upstream]) end.on('error', () => undefined)
    })
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const { port } = proxy.address() as AddressInfo // listening on a port, not on a pipe
    const dispatcher = new ProxyAgent({ uri: `http://127.0.0.1:${port}`, proxyTunnel: true })
    onTestFinished(() => dispatcher.close())
    const { spot } = clientOf(server.url, { http: { dispatcher } })
    expect((await spot.placeOrder(ORDER)).orderId).toBe('7')
    expect(tunnels).toEqual([new URL(server.url).host])
    expect(server.seen).toHaveLength(1)
  })
})
