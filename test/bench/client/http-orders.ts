import { fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from 'undici'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import type { BenchRow } from '../bench-row.ts'

const SERVER = fileURLToPath(import.meta.resolve('./exchange-process.ts'))
const CONNECTIONS = 4
const PIPELINED = 8
const [WARM_UP, MEASURED] = [4000, 20_000]

interface SignedCall {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** Orders placed and canceled by signed requests, which are signed beforehand; one server process, keep-alive connections. */
export function httpOrders(): BenchRow {
  return {
    name: `signed orders over HTTP, place and cancel (${CONNECTIONS} connections, ${PIPELINED} in flight on each)`,
    unit: 'requests/s',
    async run() {
      return { value: await requestRate('sluice'), floor: await requestRate('bare') }
    },
  }
}

async function requestRate(who: 'sluice' | 'bare'): Promise<number> {
  const server = fork(SERVER, [who])
  const [url] = await once(server, 'message')
  const clients = Array.from(
    { length: CONNECTIONS },
    () => new Client(String(url), { pipelining: PIPELINED }),
  )
  await send(clients, signedCalls('warm', WARM_UP), who)
  const calls = signedCalls('run', MEASURED)
  const startedAt = performance.now()
  await send(clients, calls, who)
  const rate = MEASURED / ((performance.now() - startedAt) / 1000)
  for (const client of clients) await client.destroy()
  server.kill()
  return rate
}

/** An order and then its cancel, by client order id, on the same connection. */
function signedCalls(prefix: string, count: number): SignedCall[] {
  const time = Date.now()
  return Array.from({ length: count }, (_, index) => {
    const newClientOrderId = `${prefix}-${index >> 1}`
    const isOrder = index % 2 === 0
    const path = isOrder ? '/sapi/v2/order' : '/sapi/v2/cancel'
    const order = { side: 'BUY', type: 'LIMIT', volume: '0.01', price: String(10_000 + (index % 997)) }
    const fields = { symbol: 'BTC/USDT', ...(isOrder && order), newClientOrderId, recvWindow: 60_000 }
    const body = JSON.stringify(fields)
    const sign = createHmac('sha256', TEST_ACCOUNT.apiSecret)
      .update(`${time}POST${path}${body}`)
      .digest('hex')
    const headers = {
      'X-CH-APIKEY': TEST_ACCOUNT.apiKey,
      'X-CH-TS': String(time),
      'X-CH-SIGN': sign,
      'content-type': 'application/json',
    }
    return { path, headers, body }
  })
}

async function send(
  clients: readonly Client[],
  calls: readonly SignedCall[],
  who: 'sluice' | 'bare',
): Promise<void> {
  await Promise.all(
    clients.flatMap((client, connection) =>
      Array.from({ length: PIPELINED }, async (_, lane) => {
        const stride = CONNECTIONS * PIPELINED
        for (let pair = connection * PIPELINED + lane; pair * 2 < calls.length; pair += stride) {
          for (const call of [calls[pair * 2], calls[pair * 2 + 1]]) {
            if (call === undefined) continue
            const { statusCode, body } = await client.request({
              ...call,
              method: 'POST',
              idempotent: true,
              blocking: false,
            })
            const text = await body.text()
            if (statusCode !== 200) throw new Error(`${who} answered ${statusCode}: ${text}`)
          }
        }
      }),
    ),
  )
}
