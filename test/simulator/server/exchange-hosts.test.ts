import { afterEach, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../../../src/exchange/endpoints.ts'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import {
  type ExchangeServer,
  type ExchangeServerOptions,
  startExchangeServer,
} from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { flatMarket, replayOf, START, signedHeaders } from '../exchange-caller.ts'
import { HandClock } from '../hand-clock.ts'
import { send } from './raw-http.ts'

const servers: ExchangeServer[] = []
const UNKNOWN = { code: '-1002', data: null, msg: 'UNAUTHORIZED', msgData: null, succ: false }

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function serve(more: Partial<ExchangeServerOptions> = {}): Promise<ExchangeServer> {
  const exchange = createSimulatedExchange(replayOf(flatMarket(100)))
  const options = { exchange, clock: new HandClock(START), futuresPort: 0, ...more }
  const server = await startExchangeServer(options)
  servers.push(server)
  return server
}

/** A path that is served but refuses, or the answer of one that is not. */
async function isUnknown(url: string, method: string, path: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await send(url, method, path, headers, method === 'POST' ? '{}' : '')
  return status === 404 && text === JSON.stringify(UNKNOWN)
}

describe('an exchange of two hosts', () => {
  it('answers every path of the interface on its own host, and on no other', async () => {
    const { url, futuresUrl } = await serve()
    expect(new URL(url).port).not.toBe(new URL(futuresUrl).port)
    const both = await serve({ futuresPort: undefined })
    expect(both.url).toBe(both.futuresUrl)
    for (const { host, method, path } of Object.values(ENDPOINTS)) {
      const answers = [url, futuresUrl, both.url].map(base => isUnknown(base, method, path))
      expect([path, ...(await Promise.all(answers))]).toEqual([path, host !== 'spot', host === 'spot', false])
    }
    const besides = [url, futuresUrl].map(base => isUnknown(base, 'POST', '/fapi/v2/futures_transfer'))
    expect(await Promise.all(besides)).toEqual([true, false])
  })

  it('serves the admin side on the spot host alone', async () => {
    const { url, futuresUrl } = await serve()
    expect(JSON.parse((await send(url, 'GET', '/sim/state')).text).time).toBe(START)
    for (const path of ['/sim/state', '/sim/faults', '/fapi/../sim/state', '/%73im/state']) {
      expect(await isUnknown(futuresUrl, 'GET', path)).toBe(true)
    }
    expect(await isUnknown(futuresUrl, 'POST', '/sim/price')).toBe(true)
  })

  it('is one exchange: what is done on one host is seen on the other, by a client that knows both', async () => {
    const { url: spotUrl, futuresUrl } = await serve()
    const { apiKey, apiSecret } = TEST_ACCOUNT
    const client = createExchangeClient({
      ...{ spotUrl, futuresUrl, apiKey, apiSecret, clock: new HandClock(START) },
      timeOffset: () => 0,
    })
    try {
      await client.account.transfer({ asset: 'USDT', amount: '250', from: 'spot', to: 'futures' })
      const [wallet] = await client.futures.account()
      expect([wallet?.marginCoin, wallet?.balance.toString()]).toEqual(['USDT', '10250'])
    } finally {
      await client.close()
    }
  })

  it('frees both of its ports when it is closed, and the first where the second is taken', async () => {
    const { url, futuresUrl, close } = await serve()
    await close()
    for (const base of [url, futuresUrl]) {
      await expect(send(base, 'GET', '/sapi/v2/ping')).rejects.toThrow('ECONNREFUSED')
    }
    const other = await serve({ futuresPort: undefined })
    const taken = Number(new URL(other.url).port)
    const port = Number(new URL(url).port)
    await expect(serve({ port, futuresPort: taken })).rejects.toThrow(`cannot listen on 127.0.0.1:${taken}`)
    await expect(send(url, 'GET', '/sapi/v2/ping')).rejects.toThrow('ECONNREFUSED')
  })

  it('refuses one port for two hosts with a sentence', async () => {
    await expect(serve({ port: 4321, futuresPort: 4321 })).rejects.toThrow(
      'The futures host needs a port of its own, but both are 4321;',
    )
  })

  it('knows the host again when a snapshot is restored', async () => {
    const { url, futuresUrl } = await serve()
    await send(url, 'GET', '/fapi/v1/ping')
    await send(futuresUrl, 'GET', '/fapi/v1/ping')
    const snapshot = (await send(url, 'POST', '/sim/snapshot')).text
    const restored = await send(url, 'POST', '/sim/restore', {}, snapshot)
    expect([restored.status, JSON.parse(restored.text).stateHash]).toEqual([
      200,
      JSON.parse(snapshot).stateHash,
    ])
    expect(
      JSON.parse(snapshot).inputs.map(({ request }: { request?: { host?: string } }) => request?.host),
    ).toEqual(expect.arrayContaining(['spot', 'futures']))
  })
})

describe('a GET whose parameters come as a body', () => {
  it('is answered like one that has them in its query, signed over the body', async () => {
    const { futuresUrl } = await serve()
    const [method, path] = ['GET', '/fapi/v1/order']
    const body = '{"contractName": "E-BTC-USDT"}'
    const signed = (target: string, text: string) =>
      signedHeaders(TEST_ACCOUNT, { method, target, body: text, time: START })
    const length = { 'content-length': String(body.length) }
    const asBody = await send(futuresUrl, method, path, { ...signed(path, body), ...length }, body)
    const query = `${path}?contractName=E-BTC-USDT`
    const asQuery = await send(futuresUrl, method, query, signed(query, ''))
    expect([asBody.status, asBody.text]).toEqual([200, asQuery.text])
    const unsigned = await send(futuresUrl, method, path, { ...signed(path, ''), ...length }, body)
    expect(JSON.parse(unsigned.text).code).toBe('-1022')
  })
})
