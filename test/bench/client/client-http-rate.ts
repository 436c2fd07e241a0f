import { fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { inTurns } from './in-turns.ts'
import { NO_LIMITS } from './no-limits.ts'

const SERVER = fileURLToPath(import.meta.resolve('./exchange-process.ts'))
const CONNECTIONS = 16
const [WARM_UP, MEASURED, ROUNDS] = [4000, 6000, 5]
const PATH = '/sapi/v2/order/test'

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit' } as const

function clientOf(spotUrl: string) {
  return createExchangeClient({
    spotUrl,
    apiKey: TEST_ACCOUNT.apiKey,
    apiSecret: TEST_ACCOUNT.apiSecret,
    recvWindowMs: 5000,
    limits: NO_LIMITS,
    http: { connections: CONNECTIONS },
  })
}

async function sendBare(url: string, dispatcher: Agent): Promise<unknown> {
  const sent = JSON.stringify({
    symbol: 'BTC/USDT',
    volume: 0.001,
    side: 'BUY',
    type: 'LIMIT',
    price: 20_000,
    recvwindow: 5000,
  })
  const timestamp = String(Date.now())
  const text = `${timestamp}POST${PATH}${sent}`
  const headers = {
    'X-CH-APIKEY': TEST_ACCOUNT.apiKey,
    'X-CH-TS': timestamp,
    'X-CH-SIGN': createHmac('sha256', TEST_ACCOUNT.apiSecret).update(text).digest('hex'),
    'Content-Type': 'application/json',
  }
  const answer = await request(`${url}${PATH}`, { method: 'POST', headers, body: sent, dispatcher })
  const received = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`undici got ${answer.statusCode}: ${received}`)
  return JSON.parse(received)
}

async function rate(send: () => Promise<unknown>, count: number): Promise<number> {
  let left = count
  const startedAt = performance.now()
  const sender = async () => {
    while (left-- > 0) await send()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sender))
  return count / ((performance.now() - startedAt) / 1000)
}

// A process of its own, started by client-http.ts, and the simulated exchange in another.
const server = fork(SERVER, ['sluice'])
const [url] = await once(server, 'message')
const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 })
const client = clientOf(String(url))
const send = {
  sluice: () => client.spot.testOrder({ ...ORDER, price: '20000', quantity: '0.001' }),
  bare: () => sendBare(String(url), dispatcher),
}
try {
  await rate(send.sluice, WARM_UP)
  await rate(send.bare, WARM_UP)
  console.log(JSON.stringify(await inTurns(ROUNDS, who => rate(send[who], MEASURED))))
} finally {
  await client.close()
  await dispatcher.destroy()
  server.kill()
}
