import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../../../src/exchange/endpoints/endpoint.ts'

/** An endpoint made for a test: weight 1, without parameters, answered by any JSON. */
export function endpointRow(row: Partial<Endpoint> & Pick<Endpoint, 'key'>): Endpoint {
  return defineEndpoint({
    method: 'GET',
    host: 'spot',
    path: `/${row.key}`,
    security: 'NONE',
    effect: 'read',
    weight: 1,
    request: z.object({}),
    response: z.unknown(),
    section: '4',
    doc: 'Made for a test.',
    ...row,
  })
}

export const MARKET = endpointRow({ key: 'market' })
export const ACCOUNT = endpointRow({ key: 'account', security: 'USER_DATA' })
export const ORDER = endpointRow({ key: 'newOrder', method: 'POST', security: 'TRADE', effect: 'write' })
export const CANCEL = endpointRow({ key: 'cancel', method: 'POST', security: 'TRADE', effect: 'write' })
export const QUERY = endpointRow({ key: 'query', path: '/sapi/v2/order', security: 'TRADE' })
