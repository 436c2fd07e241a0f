import { afterEach, describe, expect, it } from 'vitest'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import { type ExchangeServer, startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { flatMarket, replayOf, START, signedHeaders } from '../exchange-caller.ts'
import { HandClock } from '../hand-clock.ts'
import { send } from '../server/raw-http.ts'

const servers: ExchangeServer[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function serve(...faults: FaultRuleInput[]) {
  const exchange = createSimulatedExchange(replayOf(flatMarket(100), { faults }))
  const clock = new HandClock(START)
  const server = await startExchangeServer({ exchange, clock })
  servers.push(server)
  const openCount = () => exchange.state.users[0]?.history.openCount
  return { url: server.url, clock, openCount }
}

function order(url: string) {
  const body = JSON.stringify({ symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', volume: '1', price: '90' })
  const target = '/sapi/v2/order'
  const headers = signedHeaders(TEST_ACCOUNT, { method: 'POST', target, body, time: START })
  return send(url, 'POST', target, headers, body)
}

/** Waits for the server to have taken what was sent: its delivery sits in the clock. */
async function scheduled(clock: HandClock, at: number): Promise<void> {
  while (!clock.due.some(timer => timer.at === at)) await new Promise(resolve => setImmediate(resolve))
}

describe('over HTTP', () => {
  it.each([
    ['dropBefore', 0],
    ['dropAfter', 1],
  ] as const)('%s resets the connection, with %i orders placed', async (fault, placed) => {
    const { url, openCount } = await serve({ fault, endpoint: 'spotNewOrder' })
    await expect(order(url)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(openCount()).toBe(placed)
    expect((await send(url, 'GET', '/sapi/v2/ping')).text).toBe('{}')
  })

  it('an answer that is cut ends after its bytes, though its length promised more', async () => {
    const { url, openCount } = await serve({ fault: 'cutAnswer', afterBytes: 12, endpoint: 'spotNewOrder' })
    const error = await order(url).catch(reason => reason)
    expect(error).toMatchObject({ arrived: '{"symbol":"B', cause: { code: 'ECONNRESET' } })
    expect(openCount()).toBe(1)
  })

  it('a refusal has its status and its headers', async () => {
    const { url } = await serve({ fault: 'banned', retryAfterS: 120 })
    const { status, headers, text } = await send(url, 'GET', '/sapi/v2/ping')
    expect([status, headers['retry-after'], JSON.parse(text).code]).toEqual([418, '120', -1003])
  })

  it('an answer that is delayed leaves when the clock of the exchange says so', async () => {
    const { url, clock, openCount } = await serve({ fault: 'delay', delayMs: 4000, endpoint: 'spotNewOrder' })
    let status: number | undefined
    const answered = order(url).then(answer => {
      status = answer.status
    })
    await scheduled(clock, START + 4000)
    expect([openCount(), status]).toEqual([1, undefined])
    clock.moveTo(START + 4000)
    await answered
    expect(status).toBe(200)
  })

  it('a request that is late is processed when it arrives', async () => {
    const { url, clock, openCount } = await serve({
      fault: 'lateArrival',
      delayMs: 4000,
      endpoint: 'spotNewOrder',
    })
    const answer = order(url)
    await scheduled(clock, START + 4000)
    expect(openCount()).toBe(0)
    clock.moveTo(START + 4000)
    expect(JSON.parse((await answer).text).code).toBe(-1021)
  })

  it('a server that is closed leaves no answer in the clock', async () => {
    const { url, clock } = await serve({ fault: 'delay', delayMs: 4000, endpoint: 'spotNewOrder' })
    const answer = order(url).catch(error => error.code)
    await scheduled(clock, START + 4000)
    await servers.pop()?.close()
    expect(clock.due).toEqual([])
    expect(await answer).toBe('ECONNRESET')
  })
})
