import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../../src/exchange/http/transport.ts'
import { rejectionOf } from '../../exchange/call/scripted-exchange.ts'
import { httpWorld, scriptedWorld, simulatedWorld } from './client-world.ts'

const symbol = 'BTC/USDT'
const order = { type: 'limit', side: 'buy', quantity: '1', price: '90' } as const
const many = (count: number) => Array.from({ length: count }, () => order)

/** Takes whatever it is sent. */
function taking({ url, body }: HttpRequest): string {
  if (url.endsWith('batchOrders')) {
    const ids = JSON.parse(body).orders.map((_: unknown, index: number) => String(index + 1))
    return JSON.stringify({ idsString: ids, ids: ids.map(Number) })
  }
  return `{"success":${JSON.parse(body).orderIds},"failed":[]}`
}

describe.each([
  ['scripted', () => scriptedWorld(taking)],
  ['simulated', () => simulatedWorld()],
  ['HTTP', () => httpWorld()],
] as const)('on an exchange (%s)', (_kind, open) => {
  it('ten orders are placed at once and canceled at once; an eleventh keeps all of them back', async () => {
    const world = await open()
    const { client } = world
    const orderIds = await client.spot.placeOrders({ symbol, orders: many(10) })
    expect(new Set(orderIds).size).toBe(10)
    const canceled = await client.spot.cancelOrders({ symbol, orderIds })
    expect(canceled).toEqual({ canceled: orderIds, failed: [] })
    const tooMany = client.spot.placeOrders({ symbol, orders: many(11) })
    expect(await rejectionOf(tooMany)).toMatchObject({ code: 'INVALID_CALL', parameter: 'orders' })
    const tooManyIds = client.spot.cancelOrders({ symbol, orderIds: [...orderIds, '1'] })
    expect(await rejectionOf(tooManyIds)).toMatchObject({ code: 'INVALID_CALL', parameter: 'orderIds' })
    expect([...world.arrivals]).toEqual(['POST /sapi/v2/batchOrders', 'POST /sapi/v2/batchCancel'])
    await world.close()
  })
})
