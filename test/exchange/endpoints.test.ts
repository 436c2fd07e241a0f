import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Endpoint, weightOf } from '../../src/exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../src/exchange/endpoints.ts'
import { hasShared, sharedPath } from '../shared-data.ts'
import { documentedEndpoints } from './documented/documented-endpoints.ts'

const rows: readonly Endpoint[] = Object.values(ENDPOINTS)
const DOCUMENT = ['spec', 'exchange-interface.md'] as const
const available = hasShared(...DOCUMENT)

/** The interface document, section by section: method, path, weight without parameters, calls per 2 s, security, effect. */
const EXPECTED = [
  'spot GET /sapi/v2/ping 1 - NONE read',
  'spot GET /sapi/v2/time 1 - NONE read',
  'spot GET /sapi/v2/symbols 1 - NONE read',
  'spot GET /sapi/v2/depth 5 - NONE read',
  'spot GET /sapi/v2/ticker 80 - NONE read',
  'spot GET /sapi/v2/trades 5 - NONE read',
  'spot GET /sapi/v2/klines 1 - NONE read',
  'spot POST /sapi/v2/order 5 100 TRADE write',
  'spot POST /sapi/v2/order/test 1 - TRADE read',
  'spot POST /sapi/v2/batchOrders 10 50 TRADE write',
  'spot GET /sapi/v2/order 1 20 TRADE read',
  'spot POST /sapi/v2/cancel 5 - TRADE write',
  'spot POST /sapi/v2/batchCancel 10 50 TRADE write',
  'spot GET /sapi/v2/openOrders 80 20 TRADE read',
  'spot GET /sapi/v3/historyOrders 80 - TRADE read',
  'spot GET /sapi/v2/myTrades 1 - TRADE read',
  'spot GET /sapi/v3/myTrades 80 - TRADE read',
  'spot GET /sapi/v1/account 1 - USER_DATA read',
  'spot POST /sapi/v1/asset/transfer 5 - USER_DATA write',
  'spot POST /sapi/v1/asset/transferQuery 5 - USER_DATA read',
  'spot POST /sapi/v1/withdraw/apply 100 - USER_DATA write',
  'spot POST /sapi/v1/withdraw/query 100 - USER_DATA read',
  'spot POST /sapi/v2/margin/order 5 100 TRADE write',
  'spot GET /sapi/v2/margin/order 5 20 TRADE read',
  'spot POST /sapi/v2/margin/cancel 5 100 TRADE write',
  'spot GET /sapi/v2/margin/openOrders 1 20 TRADE read',
  'spot GET /sapi/v2/margin/myTrades 1 - TRADE read',
  'futures GET /fapi/v1/ping 1 - NONE read',
  'futures GET /fapi/v1/time 1 - NONE read',
  'futures GET /fapi/v1/contracts 1 - NONE read',
  'futures GET /fapi/v1/depth 1 - NONE read',
  'futures GET /fapi/v1/ticker 1 - NONE read',
  'futures GET /fapi/v1/ticker_all 1 - NONE read',
  'futures GET /fapi/v1/index 1 - NONE read',
  'futures GET /fapi/v1/klines 1 - NONE read',
  'futures POST /fapi/v1/order 1 - TRADE write',
  'futures POST /fapi/v1/conditionOrder 1 - TRADE write',
  'futures POST /fapi/v1/cancel 1 20 TRADE write',
  'futures POST /fapi/v1/cancel_all 1 - TRADE write',
  'futures GET /fapi/v1/order 1 - TRADE read',
  'futures GET /fapi/v1/openOrders 1 - TRADE read',
  'futures POST /fapi/v1/orderHistorical 1 - TRADE read',
  'futures POST /fapi/v1/profitHistorical 1 - TRADE read',
  'futures GET /fapi/v1/myTrades 1 - TRADE read',
  'futures POST /fapi/v1/edit_user_position_model 1 - TRADE write',
  'futures POST /fapi/v1/edit_user_margin_model 1 - TRADE write',
  'futures POST /fapi/v1/edit_position_margin 1 - TRADE write',
  'futures POST /fapi/v1/edit_lever 1 - TRADE write',
  'futures GET /fapi/v1/account 1 - USER_DATA read',
  'futures POST /fapi/v1/get_user_transaction 1 - USER_DATA read',
  'spot GET /v2/pub/summary 1 - NONE read',
  'spot GET /v2/pub/asset 1 - NONE read',
  'spot GET /v2/pub/ticker 1 - NONE read',
  'spot GET /v2/pub/orderbook 1 - NONE read',
  'spot GET /v2/pub/trades 1 - NONE read',
  'futures GET /pub/contracts 1 - NONE read',
  'futures GET /pub/orderbook 1 - NONE read',
]

describe('the endpoint table', () => {
  it('has 57 rows, as it should be', () => {
    const described = rows.map(row => {
      const { host, method, path, rateLimit, security, effect } = row
      return `${host} ${method} ${path} ${weightOf(row, {})} ${rateLimit?.calls ?? '-'} ${security} ${effect}`
    })
    expect(described).toHaveLength(57)
    expect(described).toEqual(EXPECTED)
  })

  it('has every row under its own key, and every limit over 2 s', () => {
    for (const [key, row] of Object.entries(ENDPOINTS)) {
      const { rateLimit }: Endpoint = row
      expect(row.key).toBe(key)
      expect(rateLimit?.perMs ?? 2000).toBe(2000)
    }
  })

  it('sends the futures version with both ways of placing a futures order only', () => {
    const versioned = rows.filter(({ headers }) => headers !== undefined)
    expect(versioned.map(({ key, headers }) => [key, headers])).toEqual([
      ['futuresNewOrder', { 'futures-version': '101' }],
      ['futuresConditionOrder', { 'futures-version': '101' }],
    ])
  })

  it.each([
    [{ symbol: 'BTC/USDT' }, 5],
    [{ symbol: 'BTC/USDT', symbols: Array(101).fill('A/B').join(',') }, 5],
    [{ symbols: 'A/B' }, 5],
    [{ symbols: Array(20).fill('A/B').join(',') }, 5],
    [{ symbols: Array(21).fill('A/B').join(',') }, 40],
    [{ symbols: Array(100).fill('A/B').join(',') }, 40],
    [{ symbols: Array(101).fill('A/B').join(',') }, 80],
  ])('weighs a ticker by what it asks for', (fields, weight) => {
    expect(weightOf(ENDPOINTS.spotTicker, fields)).toBe(weight)
  })

  it.each([
    ['spotOpenOrders', 1],
    ['spotHistoryOrders', 20],
    ['spotMyTradesV3', 20],
  ] as const)('weighs %s of one pair as %i', (key, weight) => {
    expect(weightOf(ENDPOINTS[key], { symbol: 'BTC/USDT' })).toBe(weight)
  })

  it.runIf(available)('is the tables of section 4 of the interface document', () => {
    const documented = documentedEndpoints(readFileSync(sharedPath(...DOCUMENT), 'utf8'))
    const told = documented.map(({ section, host, method, path, security }) => [
      section,
      host,
      method,
      path,
      security,
    ])
    const ours = rows.map(({ section, host, method, path, security }) => [
      section,
      host,
      method,
      path,
      security,
    ])
    expect(told).toHaveLength(57)
    expect(ours.toSorted(byText)).toEqual(told.toSorted(byText))
    for (const { host, method, path, weight, calls } of documented) {
      const row = rows.find(found => found.host === host && found.method === method && found.path === path)
      const withSymbol = row && weightOf(row, { symbol: 'BTC/USDT' })
      if (weight !== undefined) expect([method, path, withSymbol]).toEqual([method, path, weight])
      if (calls !== undefined) expect([method, path, row?.rateLimit?.calls]).toEqual([method, path, calls])
    }
  })
})

function byText(left: readonly string[], right: readonly string[]): number {
  return left.join(' ') < right.join(' ') ? -1 : 1
}
