import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createSystemClock } from '../../../src/exchange/clock/system-clock.ts'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { KEY, rejectionOf, SECRET } from '../call/scripted-exchange.ts'
import { historyWorld, NOW } from './history-server.ts'
import { wireOrder } from './wire-entries.ts'

const symbol = 'BTC/USDT'

describe('a signal', () => {
  it('ends a range between two items that are already there', async () => {
    const entries = [1n, 2n, 3n].map(id => wireOrder({ id, time: NOW - 1000 }))
    const { client, queries } = historyWorld(() => entries)
    const abort = new AbortController()
    const range = client.spot.allHistoryOrders({ symbol, from: NOW - 2000, signal: abort.signal })
    expect((await range.next()).value).toMatchObject({ orderId: '1' })
    abort.abort(new Error('enough'))
    expect(await rejectionOf(range.next())).toEqual(new Error('enough'))
    expect(await range.next()).toEqual({ done: true, value: undefined })
    expect(queries).toHaveLength(1)
  })

  it('that has aborted before keeps every call back', async () => {
    const { client, queries } = historyWorld(() => [])
    const range = client.spot.allMyTrades({ symbol, signal: AbortSignal.abort(new Error('never')) })
    expect(await rejectionOf(range.next())).toEqual(new Error('never'))
    expect(queries).toHaveLength(0)
  })

  it.each(['its own', "its client's"])(
    '(%s) ends a range that waits for an answer, and the request with it',
    async whose => {
      const gone = Promise.withResolvers<void>()
      const asked = Promise.withResolvers<void>()
      const server = createServer(request => {
        request.socket.once('close', () => gone.resolve())
        asked.resolve()
      })
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo // it listens on TCP
      const client = createExchangeClient({
        spotUrl: `http://127.0.0.1:${port}`,
        apiKey: KEY,
        apiSecret: SECRET,
        clock: createSystemClock(),
        timeOffset: () => 0,
        timeoutMs: 600_000,
      })
      try {
        const abort = new AbortController()
        const { signal } = abort
        const range =
          whose === 'its own'
            ? client.spot.allMyTrades({ symbol, signal })
            : client.with({ signal }).spot.allMyTrades({ symbol, signal: new AbortController().signal })
        const step = rejectionOf(range.next())
        await asked.promise
        abort.abort(new Error('enough'))
        expect(await step).toEqual(new Error('enough'))
        await gone.promise
        expect(client.state().calls).toMatchObject({
          inFlight: { used: 0 },
          waiting: { account: 0, market: 0 },
          pause: undefined,
        })
      } finally {
        await client.close()
        server.close()
      }
    },
  )
})

describe('a loop that is left early', () => {
  it('makes no further call', async () => {
    const { client, queries } = historyWorld(() => [wireOrder({ id: 1n, time: NOW - 1000 })])
    for await (const { orderId } of client.spot.allHistoryOrders({ symbol })) {
      expect(orderId).toBe('1')
      break
    }
    expect(queries).toHaveLength(1)
  })
})
