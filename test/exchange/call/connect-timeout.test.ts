import dns from 'node:dns'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { KEY, rejectionOf, SECRET } from './scripted-exchange.ts'

/** A call's own timeout, far behind the end of this test. */
const LONG_MS = 60_000

afterEach(() => {
  vi.restoreAllMocks()
})

/** A host whose connections stay under way for ever: its name is never looked up. */
function blackHole() {
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation((() => undefined) as unknown as typeof dns.lookup) // all overloads
  const client = createExchangeClient({
    spotUrl: 'https://exchange.test',
    apiKey: KEY,
    apiSecret: SECRET,
    timeOffset: () => 0,
    timeoutMs: LONG_MS,
    http: { connectTimeoutMs: 50 },
  })
  return { client, lookup }
}

describe('a connection that does not come about in time', () => {
  it('ends an order as certainly not sent, without a second try', async () => {
    const { client, lookup } = blackHole()
    const order = { symbol: 'BTC/USDT', type: 'market', side: 'sell', quantity: '1' } as const
    const startedAt = performance.now()
    const error = await rejectionOf(client.spot.placeOrder(order))
    expect(performance.now() - startedAt).toBeLessThan(5000)
    expect(error).toMatchObject({ code: 'NOT_SENT', reaction: 'retry' })
    expect(error).toHaveProperty('cause.message', 'There was no connection within 50 ms.')
    expect(lookup).toHaveBeenCalledTimes(1)
    expect(client.state().calls).toMatchObject({ uid: { used: 0 }, inFlight: { used: 0 } })
    await client.close()
  })
})

describe('a client that is given no clock', () => {
  it('goes by the clock of the machine', async () => {
    const before = Date.now()
    const transport = async () => ({ status: 200, body: '{}' })
    const client = createExchangeClient({ spotUrl: 'https://exchange.test', transport })
    await client.spot.ping()
    expect(client.serverNow()).toBeGreaterThanOrEqual(before)
    expect(client.serverNow()).toBeLessThanOrEqual(Date.now())
    await client.close()
  })
})
