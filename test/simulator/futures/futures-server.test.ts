import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type ExchangeServer, startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { flatMarket, START, signedHeaders } from '../exchange-caller.ts'
import { FuturesCaller, futuresOf } from './futures-caller.ts'

const servers: ExchangeServer[] = []

async function serve(config: SimulatorConfigInput, time: number): Promise<string> {
  const clock = { now: () => time, schedule: () => () => undefined }
  const server = await startExchangeServer({ exchange: createSimulatedExchange(config), clock })
  servers.push(server)
  return server.url
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** Sends bytes as they are. */
function send(url: string, method: string, target: string, headers: Record<string, string>, body = '') {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; text: string }>()
  const sent = request({ hostname, port, method, path: target, headers }, async response => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString('utf8') })
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

const VECTOR_TIME = 1_588_591_856_950
const VECTOR_USER = {
  apiKey: 'vmPUZE6mv9SD5V5e14y7Ju91duEh8A',
  apiSecret: '902ae3cb34ecee2779aa4d3e1d226686',
  balances: {},
}

describe('the futures interface over HTTP', () => {
  it.each([
    ['{}', '49c2bf89f0957e5911ae71afdfc32213b985dfe6bf314833271b118ebe5e2a21'],
    ['', '978f5dd23661597fa58d1ef06252c8de9a757a0b56025fff6cf96efcd93ef98b'],
  ])('accepts the published signature of a cancel_all with the body "%s"', async (body, sign) => {
    const url = await serve({ accounts: [VECTOR_USER] }, VECTOR_TIME)
    const headers = {
      'X-CH-APIKEY': VECTOR_USER.apiKey,
      'X-CH-TS': String(VECTOR_TIME),
      'Content-Type': 'application/json',
    }
    const right = await send(url, 'POST', '/fapi/v1/cancel_all', { ...headers, 'X-CH-SIGN': sign }, body)
    expect(right).toEqual({ status: 200, text: '{"code":"0","msg":"Success","data":null}' })
    const wrong = await send(url, 'POST', '/fapi/v1/cancel_all', { ...headers, 'X-CH-SIGN': sign }, '{ }')
    expect(JSON.parse(wrong.text)).toMatchObject({ code: '-1022', data: null })
  })

  it('opens a position and shows it', async () => {
    const url = await serve(futuresOf(flatMarket(100)), START)
    const call = (method: string, target: string, body = '') => {
      const headers = {
        ...signedHeaders(TEST_ACCOUNT, { method, target, body, time: START }),
        'futures-version': '101',
      }
      return send(url, method, target, headers, body)
    }
    const order =
      '{ "contractName": "e-btc-usdt", "volume": 1.0, "type": "MARKET", "side": "BUY", "open": "OPEN" }'
    const placed = await call('POST', '/fapi/v1/order', order)
    expect(placed).toEqual({ status: 200, text: '{"orderId":"2100000000000000001"}' })
    const listed = await call('GET', '/fapi/v1/order?contractName=E-BTC-USDT&orderId=2100000000000000001')
    expect(listed.text).toContain('"orderId":2100000000000000001,')
    const { text } = await call('GET', '/fapi/v1/account')
    expect(JSON.parse(text).account[0].positionVos[0].positions[0]).toMatchObject({ side: 'BUY', volume: 1 })
    const unsigned = await send(url, 'GET', '/fapi/v1/account', {})
    expect([unsigned.status, JSON.parse(unsigned.text).code]).toEqual([401, '-1002'])
  })
})

describe('what the futures exchange remembers', () => {
  it('stays bounded: orders, trades, transactions and closed positions', () => {
    const caller = FuturesCaller.open(futuresOf(flatMarket(100), {}, { keptRecords: 50 }))
    for (let round = 0; round < 150; round++) {
      caller.order('BUY', 'OPEN', 'MARKET', 1)
      caller.order('SELL', 'CLOSE', 'MARKET', 1)
    }
    const [account] = caller.exchange.futures.accounts
    expect(account?.records.size).toBe(50)
    expect([...(account?.records.trades() ?? [])]).toHaveLength(50)
    expect([account?.transactions.size, account?.closedPositions.size]).toEqual([50, 50])
    expect(caller.exchange.futures.clearing.house.closedPositions.size).toBe(0)
  })
})
