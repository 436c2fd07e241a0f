import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Clock } from '../../../src/domain/clock.ts'
import { type ExchangeServer, startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { flatMarket, klinesOf, MINUTE, replayOf, START, signedHeaders } from '../exchange-caller.ts'
import { HandClock } from '../hand-clock.ts'
import { send } from './raw-http.ts'

const servers: ExchangeServer[] = []

async function serve(config: SimulatorConfigInput, clock: Clock): Promise<string> {
  const server = await startExchangeServer({ exchange: createSimulatedExchange(config), clock })
  servers.push(server)
  return server.url
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const VECTOR_TIME = 1_588_591_856_950
const VECTOR_USER = {
  apiKey: 'vmPUZE6mv9SD5V5e14y7Ju91duEh8A',
  apiSecret: '902ae3cb34ecee2779aa4d3e1d226686',
  balances: {},
}

describe('the server', () => {
  it.each([
    ['/sapi/v1/account', '8e1cd9b70ee747b7478aa3df01f03a54b790038ad54c87039c07b4f9971cb7fa'],
    ['/sapi/v1/account?', '8e1cd9b70ee747b7478aa3df01f03a54b790038ad54c87039c07b4f9971cb7fa'],
    [
      '/sapi/v2/openOrders?symbol=BTC%2FUSDT&limit=10',
      '9710ded4588a6ca23d42569928cc5b854a2b9e849055446c9d2cbf10e54086ae',
    ],
    [
      '/sapi/v2/openOrders?symbol=BTC/USDT&limit=10',
      '70fdde651ac8fe134d879deed8e316fc96d63c75ef0eb6c939ba3462c6970130',
    ],
  ])('accepts the signature of the supplement over the raw target %s', async (target, sign) => {
    const url = await serve({ accounts: [VECTOR_USER] }, new HandClock(VECTOR_TIME))
    const headers = { 'X-CH-APIKEY': VECTOR_USER.apiKey, 'X-CH-TS': String(VECTOR_TIME), 'X-CH-SIGN': sign }
    const right = await send(url, 'GET', target, headers)
    expect([right.status, right.type]).toEqual([200, 'application/json; charset=utf-8'])
    const wrong = await send(url, 'GET', `${target}${target.includes('?') ? '&' : '?'}x=1`, headers)
    expect(JSON.parse(wrong.text).code).toBe(-1022)
  })

  it.each([
    ['127.0.0.1', undefined],
    ['10.0.0.1', -2015],
  ])('knows the address of its client: a key of %s gets code %s', async (ip, code) => {
    const account = { ...TEST_ACCOUNT, allowedIps: [ip] }
    const url = await serve({ accounts: [account] }, new HandClock(START))
    const target = '/sapi/v1/account'
    const headers = signedHeaders(TEST_ACCOUNT, { method: 'GET', target, time: START })
    expect(JSON.parse((await send(url, 'GET', target, headers)).text).code).toBe(code)
  })

  it('takes a signed order over the bytes of its body, spaces and big ids included', async () => {
    const url = await serve(replayOf(flatMarket(100)), new HandClock(START))
    const post = (target: string, body: string) =>
      send(
        url,
        'POST',
        target,
        signedHeaders(TEST_ACCOUNT, { method: 'POST', target, body, time: START }),
        body,
      )
    const placed = await post(
      '/sapi/v2/order',
      '{ "symbol": "BTC/USDT", "side": "BUY", "type": "LIMIT", "volume": 1, "price": 9e1, "newClientOrderId": "é" }',
    )
    expect(placed.text).toContain('"orderId":1900000000000000001,')
    expect(JSON.parse(placed.text)).toMatchObject({ clientOrderId: 'é', price: '90.00' })
    const canceled = await post('/sapi/v2/cancel', '{"symbol":"BTC/USDT","orderId":1900000000000000001}')
    expect(JSON.parse(canceled.text)).toMatchObject({ status: 'CANCELED', orderId: '1900000000000000001' })
    const empty = await post('/sapi/v2/cancel', '')
    expect(JSON.parse(empty.text).code).toBe(-1121)
  })

  it('takes its time from the clock and moves the market when a print is due', async () => {
    const clock = new HandClock(START)
    const url = await serve(replayOf(klinesOf([100, 101, 99, 100], [105, 106, 104, 105])), clock)
    expect(JSON.parse((await send(url, 'GET', '/sapi/v2/time', {})).text)).toMatchObject({
      serverTime: START,
    })
    expect(clock.due.map(({ at }) => at)).toEqual([START + 15_000])
    clock.time = START + MINUTE
    clock.due.shift()?.callback()
    expect(clock.due.map(({ at }) => at)).toEqual([START + MINUTE + 15_000])
    const { text } = await send(url, 'GET', '/sapi/v2/ticker?symbol=btcusdt', {})
    expect(JSON.parse(text).last).toBe('105.00')
  })

  it('stops its timer and its port when it is closed', async () => {
    const clock = new HandClock(START)
    const url = await serve(replayOf(flatMarket(100)), clock)
    await servers.pop()?.close()
    expect(clock.due).toEqual([])
    await expect(send(url, 'GET', '/sapi/v2/ping', {})).rejects.toThrow('ECONNREFUSED')
  })

  it('serves this machine only, unless told otherwise', async () => {
    const options = { exchange: createSimulatedExchange(), clock: new HandClock(START), host: '0.0.0.0' }
    await expect(startExchangeServer(options)).rejects.toThrow('use 127.0.0.1 instead of "0.0.0.0"')
    const server = await startExchangeServer({ ...options, allowRemote: true })
    servers.push(server)
    expect(server.url).toMatch(/^http:/)
  })

  it('answers 500 where the exchange contradicts itself, and serves on', async () => {
    const exchange = createSimulatedExchange(replayOf(flatMarket(100)))
    const server = await startExchangeServer({ exchange, clock: new HandClock(START) })
    servers.push(server)
    vi.spyOn(exchange, 'handle').mockImplementationOnce(() => {
      throw new Error('Two and two are five.')
    })
    const { status, text } = await send(server.url, 'GET', '/sapi/v2/ping', {})
    expect([status, text]).toEqual([500, '{"code":-1001,"msg":"Two and two are five."}'])
    expect((await send(server.url, 'GET', '/sapi/v2/ping', {})).text).toBe('{}')
  })

  it('says so when its port is taken', async () => {
    const url = await serve(replayOf(flatMarket(100)), new HandClock(START))
    const second = {
      exchange: createSimulatedExchange(),
      clock: new HandClock(START),
      port: Number(new URL(url).port),
    }
    await expect(startExchangeServer(second)).rejects.toThrow('is the port taken?')
  })
})

describe('the exchange command', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints where it listens and ends with exit code 0 on %s',
    async signal => {
      const command = fileURLToPath(new URL('../../../src/cli/exchange/exchange-command.ts', import.meta.url))
      const options = { port: 0, host: '127.0.0.1', json: true, manualTime: false, speed: 60, seed: 3 }
      const script = `import { runExchange } from ${JSON.stringify(command)}
      process.exitCode = await runExchange(${JSON.stringify(options)}, process.stdout)`
      const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [line] = await once(child.stdout, 'data')
      const { spotUrl, futuresUrl, apiKey, apiSecret } = JSON.parse(String(line))
      expect([futuresUrl, apiKey, apiSecret]).toEqual([spotUrl, TEST_ACCOUNT.apiKey, TEST_ACCOUNT.apiSecret])
      expect((await send(spotUrl, 'GET', '/sapi/v2/ping', {})).text).toBe('{}')
      child.kill(signal)
      expect(await once(child, 'exit')).toEqual([0, null])
    },
  )
})
