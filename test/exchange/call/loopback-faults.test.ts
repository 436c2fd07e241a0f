import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { createExchangeClient, type ExchangeClient } from '../../../src/exchange/exchange-client.ts'
import {
  type HttpTransport,
  type HttpTransportOptions,
  httpTransport,
} from '../../../src/exchange/http/http-transport.ts'
import { ManualClock } from '../clock/manual-clock.ts'
import { answer, type Behavior, type FaultyServer, faultyServer, type Reset } from './faulty-server.ts'
import { KEY, NOW, rejectionOf, SECRET } from './scripted-exchange.ts'

const ORDER = {
  symbol: 'BTC/USDT',
  type: 'market',
  side: 'sell',
  quantity: '1',
  clientOrderId: 'c1',
} as const

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(part => part.close()))
})

async function serve(behavior: Behavior, reset?: Reset): Promise<FaultyServer> {
  const server = await faultyServer(behavior, reset)
  opened.push(server)
  return server
}

function clientOf(spotUrl: string, timeoutMs = 2000): { client: ExchangeClient; clock: ManualClock } {
  const clock = new ManualClock(NOW)
  const client = createExchangeClient({
    spotUrl,
    apiKey: KEY,
    apiSecret: SECRET,
    clock,
    timeoutMs,
    timeOffset: () => 0,
    random: () => 0.5,
  })
  opened.push(client)
  return { client, clock }
}

const CUT_OFF: Behavior = response => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"orderId":')
  setImmediate(() => response.socket?.destroy())
}

/** Answers of a network in front of the exchange: a firewall, a cache, a captive portal. */
const PAGES: readonly (readonly [string, Behavior])[] = [
  ['an HTML page with HTTP 403', answer(403, '<html>Forbidden</html>', 'text/html')],
  ['an empty HTTP 403', answer(403, '')],
  ['an HTML page with HTTP 401', answer(401, '<html>Log in</html>', 'text/html')],
  ['an HTML page with HTTP 404', answer(404, '<html>Not found</html>', 'text/html')],
  ['a text with HTTP 400', answer(400, 'Bad Request', 'text/plain')],
  ['an empty HTTP 407', answer(407, '')],
  ['a redirection', response => response.writeHead(302, { location: 'http://127.0.0.1:9/portal' }).end()],
]

/** What happens to a request that was written and has no readable answer. */
const WRITTEN_WITHOUT_ANSWER: readonly [string, Behavior, Reset?][] = [
  ['is reset before its body is read', answer(200, '{}'), 'beforeBody'],
  ['is reset after it was read', response => response.socket?.resetAndDestroy()],
  ['gets no headers in time', () => {}],
  ['gets half an answer in time', response => response.writeHead(200).write('{"orderId":')],
  ['gets an answer that breaks off', CUT_OFF],
  ['gets HTTP 504', answer(504, '<html>Gateway Timeout</html>', 'text/html')],
  ['gets HTTP 502', answer(502, '<html>Bad Gateway</html>', 'text/html')],
  ...PAGES.map(([name, page]): [string, Behavior] => [`gets ${name}`, page]),
]

describe('over real HTTP a write', () => {
  it.each(WRITTEN_WITHOUT_ANSWER)(
    'that %s has an unknown outcome and is not resent',
    async (_name, behavior, reset) => {
      const server = await serve(behavior, reset)
      const { client, clock } = clientOf(server.url, 300)
      const error = await rejectionOf(client.spot.placeOrder(ORDER))
      expect(error).toMatchObject({
        code: 'UNKNOWN_OUTCOME',
        reaction: 'reconcile',
        endpoint: 'spotNewOrder',
        timestamp: NOW,
        acceptableUntil: NOW + 1000,
      })
      expect(server.seen).toHaveLength(reset === undefined ? 1 : 0)
      expect(clock.delays).toEqual([])
    },
  )

  it.each([
    ['HTML', answer(200, '<html>maintenance</html>', 'text/html')],
    ['JSON that is cut off', answer(200, '{"orderId":12')],
    ['JSON without an order id', answer(200, '{"symbol":"btcusdt"}')],
    ['-1007', answer(400, '{"code":-1007,"msg":"Timeout"}')],
    ['-1006 under HTTP 200', answer(200, '{"code":"-1006","msg":"Unexpected"}')],
    ['HTTP 504 with a refusal', answer(504, '{"code":-2017,"msg":"Balance"}')],
    ['HTTP 500 with an unheard-of code', answer(500, '{"code":-9999,"msg":"?"}')],
  ])('that is answered with %s has an unknown outcome', async (_name, behavior) => {
    const server = await serve(behavior)
    const error = await rejectionOf(clientOf(server.url).client.spot.placeOrder(ORDER))
    expect(error).toMatchObject({ code: 'UNKNOWN_OUTCOME', reaction: 'reconcile' })
    expect(server.seen).toHaveLength(1)
  })

  it('is refused by a business error under HTTP 200', async () => {
    const server = await serve(answer(200, '{"code":"-2017","msg":"余额不足","data":null}'))
    const error = await rejectionOf(clientOf(server.url).client.spot.placeOrder(ORDER))
    expect(error).toMatchObject({
      code: 'EXCHANGE_REFUSED',
      reaction: 'skip',
      exchangeCode: -2017,
      exchangeName: 'BALANCE_NOT_ENOUGH',
      httpStatus: 200,
      reason: '余额不足',
    })
  })

  it('to a closed port was certainly not sent', async () => {
    const server = await faultyServer(answer(200, '{}'))
    await server.close()
    const { client, clock } = clientOf(server.url)
    expect(await rejectionOf(client.spot.placeOrder(ORDER))).toMatchObject({
      code: 'NOT_SENT',
      reaction: 'retry',
    })
    expect(clock.delays).toEqual([])
  })

  it('whose connection is reset on arrival was not sent, or nobody knows: it depends on the race', async () => {
    const server = await serve(answer(200, '{"orderId":1}'), 'onArrival')
    const error = await rejectionOf(clientOf(server.url).client.spot.placeOrder(ORDER))
    expect(error).toSatisfy(({ code }) => code === 'NOT_SENT' || code === 'UNKNOWN_OUTCOME')
    expect(server.seen).toEqual([])
  })

  it('arrives signed, byte for byte, and is placed', async () => {
    const server = await serve(answer(200, '{"orderId":150695552109032492,"status":"0"}'))
    const placed = await clientOf(server.url).client.spot.placeOrder(ORDER)
    expect(placed.orderId).toBe('150695552109032492')
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        url: '/sapi/v2/order',
        headers: { 'content-type': 'application/json', 'x-ch-apikey': KEY, 'x-ch-ts': String(NOW) },
        body: '{"symbol":"BTC/USDT","volume":1,"side":"SELL","type":"MARKET","newClientOrderId":"c1"}',
      },
    ])
  })
})

describe('over real HTTP a read', () => {
  it('is repeated twice with growing pauses, and then gives up', async () => {
    const server = await serve(response => response.socket?.resetAndDestroy())
    const { client, clock } = clientOf(server.url)
    expect(await rejectionOf(client.account.balances())).toMatchObject({ code: 'NETWORK', reaction: 'retry' })
    expect(server.seen).toHaveLength(3)
    expect(clock.delays).toEqual([250, 500])
    const stamps = server.seen.map(seen => seen.headers['x-ch-ts'])
    expect(stamps).toEqual([NOW, NOW + 250, NOW + 750].map(String))
  })

  it('succeeds when the trouble is over', async () => {
    const troubles = [
      answer(503, 'busy'),
      answer(500, '{"code":-1001,"msg":"again"}'),
      answer(200, '{"balances":[]}'),
    ]
    const server = await serve((response, seen) => troubles.shift()?.(response, seen))
    await expect(clientOf(server.url).client.account.balances()).resolves.toEqual([])
  })

  it('that times out is a network error', async () => {
    const server = await serve(() => {})
    const error = await rejectionOf(clientOf(server.url, 50).client.spot.time())
    expect(error).toMatchObject({ code: 'NETWORK', reason: 'No complete answer arrived within 50 ms.' })
  })

  it('to a closed port is repeated, because it was not sent', async () => {
    const server = await faultyServer(answer(200, '{}'))
    await server.close()
    const { client, clock } = clientOf(server.url)
    expect(await rejectionOf(client.spot.ping())).toMatchObject({ code: 'NOT_SENT' })
    expect(clock.delays).toEqual([250, 500])
  })

  it.each(PAGES)('that gets %s is a network error, and is repeated', async (_name, page) => {
    const server = await serve(page)
    const { client, clock } = clientOf(server.url)
    const error = await rejectionOf(client.spot.symbols())
    expect(error).toMatchObject({ code: 'NETWORK', reaction: 'retry' })
    expect(String(error)).toMatch(/It answered HTTP \d{3} without JSON/)
    expect(server.seen).toHaveLength(3)
    expect(clock.delays).toEqual([250, 500])
  })

  it.each([
    ['HTML', '<html>maintenance</html>', 'it is no JSON.'],
    ['cut-off JSON', '{"serverTime":1', 'it is no JSON.'],
    ['a missing field', '{"timezone":"UTC"}', 'serverTime: is required.'],
  ])('answered with %s is malformed, and not repeated', async (_name, body, what) => {
    const server = await serve(answer(200, body))
    const error = await rejectionOf(clientOf(server.url).client.spot.time())
    expect(error).toMatchObject({ code: 'MALFORMED_RESPONSE', excerpt: body })
    expect(String(error)).toContain(what)
    expect(server.seen).toHaveLength(1)
  })

  it.each([
    [401, '{"code":-2015,"msg":"key"}', 'halt'],
    [403, '{"code":-2015,"msg":"key"}', 'halt'],
    [403, '{"timestamp":1,"status":403,"error":"Forbidden","message":"No","path":"/x"}', 'halt'],
    [404, '{"timestamp":1,"status":404,"error":"Not Found","message":"No handler","path":"/x"}', 'skip'],
  ])('answered with HTTP %i %s is refused once', async (status, body, reaction) => {
    const server = await serve(answer(status, body))
    const error = await rejectionOf(clientOf(server.url).client.spot.symbols())
    expect(error).toMatchObject({ code: 'EXCHANGE_REFUSED', httpStatus: status, reaction })
    expect(server.seen).toHaveLength(1)
  })
})

describe('httpTransport', () => {
  const request = { method: 'POST', headers: {}, body: '{}', timeoutMs: 100 } as const

  it('never writes a request that gave up while it waited for a connection', async () => {
    const held: (() => void)[] = []
    const server = await serve(response => held.push(() => response.end('{}')))
    const http = httpTransport({ connections: 1 })
    opened.push(http)
    const first = http.send({ ...request, url: `${server.url}/first`, timeoutMs: 5000 })
    const error = await rejectionOf(http.send({ ...request, url: `${server.url}/second` }))
    expect(error).toMatchObject({ sent: false })
    held[0]?.()
    await first
    const third = http.send({ ...request, url: `${server.url}/third`, timeoutMs: 5000 })
    await expect.poll(() => held.length).toBe(2)
    held[1]?.()
    await third
    expect(server.seen.map(seen => seen.url)).toEqual(['/first', '/third'])
  })

  it('does not read past its bound', async () => {
    const server = await serve(answer(200, 'x'.repeat(2000)))
    const http = httpTransport({ maxBodyBytes: 1000 })
    opened.push(http)
    const error = await rejectionOf(http.send({ ...request, url: `${server.url}/long`, timeoutMs: 5000 }))
    expect(error).toMatchObject({
      code: 'ANSWER_TOO_LONG',
      httpStatus: 200,
      message: 'The answer is longer than 1000 bytes.',
    })
  })

  it('keeps a connection for the next request', async () => {
    const ports: unknown[] = []
    const server = await serve(response => {
      ports.push(response.socket?.remotePort)
      response.end('{}')
    })
    const http = httpTransport({ connections: 1 })
    opened.push(http)
    await http.send({ ...request, url: `${server.url}/a`, timeoutMs: 5000 })
    await http.send({ ...request, url: `${server.url}/b`, timeoutMs: 5000 })
    expect(new Set(ports).size).toBe(1)
    expect(ports).toHaveLength(2)
  })
})

describe('a connection of httpTransport', () => {
  const request = { method: 'POST', headers: {}, body: '{}', timeoutMs: 5000 } as const

  function transportOf(options: HttpTransportOptions = {}): HttpTransport {
    const http = httpTransport(options)
    opened.push(http)
    return http
  }

  it('that speaks no TLS never gets a request', async () => {
    const server = await serve(answer(200, '{}'))
    const http = transportOf()
    const url = `${server.url.replace('http:', 'https:')}/order`
    expect(await rejectionOf(http.send({ ...request, url }))).toMatchObject({ sent: false })
    expect(server.seen).toEqual([])
  })

  it('is given up when it brings an answer that nobody asked for', async () => {
    const closed: Promise<unknown>[] = []
    const server = await serve((response, { url }) => {
      const { socket } = response
      response.end(`{"of":"${url}"}`)
      if (socket === null || closed.length > 0) return
      closed.push(once(socket, 'close'))
      setImmediate(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n{"of":"none"'))
    })
    const http = transportOf({ connections: 1 })
    await http.send({ ...request, url: `${server.url}/a` })
    await Promise.all(closed)
    expect((await http.send({ ...request, url: `${server.url}/b` })).body).toBe('{"of":"/b"}')
  })

  it('that is closed fails what is under way, and what waits was not sent', async () => {
    const server = await serve(() => {})
    const http = transportOf({ connections: 1 })
    const first = rejectionOf(http.send({ ...request, url: `${server.url}/first` }))
    await expect.poll(() => server.seen.length).toBe(1)
    const second = rejectionOf(http.send({ ...request, url: `${server.url}/second` }))
    await http.close()
    expect(await first).toMatchObject({ sent: true, message: 'The client was closed.' })
    expect(await second).toMatchObject({ sent: false })
    expect(server.seen).toHaveLength(1)
  })
})

describe('createExchangeClient', () => {
  const clock = new ManualClock(NOW)

  it.each([
    ['http://api.example.com', 'The exchange URL http://api.example.com is not HTTPS'],
    ['ftp://localhost', 'is not HTTPS'],
    ['api.example.com', 'is no URL'],
    ['https://api.example.com/sapi/v2', 'leave out /sapi and all that follows it'],
    ['https://api.example.com/spot/open?a=1', 'leave out credentials, query and fragment'],
    ['https://user:pass@api.example.com', 'leave out credentials, query and fragment'],
  ])('refuses %s', (spotUrl, message) => {
    expect(() => createExchangeClient({ spotUrl, clock })).toThrow(message)
  })

  it.each(['https://api.example.com', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])(
    'takes %s',
    spotUrl => {
      expect(() => createExchangeClient({ spotUrl, clock })).not.toThrow()
    },
  )

  it('wants key and secret together', () => {
    expect(() => createExchangeClient({ spotUrl: 'https://a.b', clock, apiKey: 'k' })).toThrow(
      'belong together',
    )
  })
})
