import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS, type EndpointKey } from '../../src/exchange/endpoints.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { hasShared, sharedPath } from '../shared-data.ts'
import { type Answer, ExchangeCaller, flatMarket, START } from './exchange-caller.ts'

const hasSamples = hasShared('spec', 'samples')

interface Sample {
  readonly raw: string
  readonly request?: { readonly query?: Record<string, string | number>; readonly body?: object }
}

/** Rows by sample file, and what must have happened before the documented request can be answered like the documented answer. */
const SAMPLES: Readonly<Record<string, readonly [EndpointKey, (caller: ExchangeCaller) => object]>> = {
  spot_ping: ['spotPing', nothing],
  spot_time: ['spotTime', nothing],
  spot_symbols: ['spotSymbols', nothing],
  spot_depth: ['spotDepth', () => ({ symbol: 'BTC/USDT' })],
  spot_ticker: ['spotTicker', nothing],
  spot_trades: ['spotTrades', () => ({ symbol: 'BTC/USDT' })],
  spot_klines: ['spotKlines', () => ({ symbol: 'BTC/USDT', interval: '1min' })],
  spot_order_post: [
    'spotNewOrder',
    () => ({ symbol: 'LXT/USDT', volume: 110, side: 'SELL', type: 'LIMIT', price: 0.005452 }),
  ],
  spot_order_test: ['spotTestOrder', () => ({ ...order('BTC/USDT', 90), volume: 1 })],
  spot_batchOrders: ['spotBatchOrders', nothing],
  spot_order_get: ['spotOrder', caller => ({ orderId: placed(caller, 'BHT/USDT') })],
  spot_cancel: ['spotCancel', caller => ({ symbol: 'BHT/USDT', orderId: placed(caller, 'BHT/USDT') })],
  spot_batchCancel: ['spotBatchCancel', caller => ({ orderIds: `[${placed(caller, 'BTC/USDT')},456]` })],
  spot_openOrders: ['spotOpenOrders', rests],
  spot_historyOrders: ['spotHistoryOrders', rests],
  spot_myTrades_v2: ['spotMyTradesV2', trades],
  spot_myTrades_v3: ['spotMyTradesV3', trades],
  account: ['spotAccount', nothing],
  asset_transfer: ['assetTransfer', nothing],
  asset_transferQuery: ['assetTransferQuery', transferred],
  withdraw_apply: ['withdrawApply', nothing],
  withdraw_query: ['withdrawQuery', withdrawn],
  margin_order_post: ['marginNewOrder', nothing],
  margin_order_get: ['marginOrder', caller => ({ symbol: 'BHT/USDT', orderId: marginPlaced(caller) })],
  margin_cancel: ['marginCancel', caller => ({ symbol: 'BHT/USDT', orderId: marginPlaced(caller) })],
  margin_openOrders: ['marginOpenOrders', rests],
  margin_myTrades: ['marginMyTrades', trades],
  pub_summary: ['feedSummary', nothing],
  pub_asset: ['feedAssets', nothing],
  pub_ticker: ['feedQuotes', nothing],
  pub_orderbook: ['feedOrderBook', () => ({ symbol: 'BTC/USDT' })],
  pub_trades: ['feedTrades', () => ({ symbol: 'BTC/USDT' })],
}

/** Payloads of hosts whose answers have another form than the interface document's. */
const OTHER_FORMS: Readonly<Record<string, readonly number[]>> = { spot_symbols: [1], spot_cancel: [1] }

function nothing(): object {
  return {}
}

function order(symbol: string, price: number) {
  return { symbol, side: 'BUY', type: 'LIMIT', volume: 1000, price }
}

function placed(caller: ExchangeCaller, symbol: string): string {
  const volume = symbol === 'BTC/USDT' ? 1 : 1000
  return caller.post('/sapi/v2/order', { ...order(symbol, 1), symbol, volume: volume * 10 }).json
    .orderIdString
}

function marginPlaced(caller: ExchangeCaller): string {
  return caller.post('/sapi/v2/margin/order', order('BHT/USDT', 1)).json.orderId
}

function rests(caller: ExchangeCaller): object {
  placed(caller, 'BHT/USDT')
  marginPlaced(caller)
  return {}
}

function trades(caller: ExchangeCaller): object {
  for (const path of ['/sapi/v2/order', '/sapi/v2/margin/order']) {
    caller.post(path, { symbol: 'ETH/BTC', side: 'BUY', type: 'MARKET', volume: 20 })
  }
  return { symbol: 'ETH/BTC', startTime: START, endTime: START + 1000 }
}

function transferred(caller: ExchangeCaller): object {
  const fields = { coinSymbol: 'USDT', amount: 1, fromAccount: 'EXCHANGE', toAccount: 'FUTURE' }
  return { transferId: caller.post('/sapi/v1/asset/transfer', fields).json.data.transferId }
}

function withdrawn(caller: ExchangeCaller): object {
  const fields = { withdrawOrderId: 'abc', amount: '1', address: 'somewhere', symbol: 'TUSDT' }
  caller.post('/sapi/v1/withdraw/apply', fields)
  caller.now += 600_000
  return {}
}

/** An exchange that lists what the samples name, at prices their orders fit. */
function open(): ExchangeCaller {
  const listing = (symbol: string, price: number, pricePrecision = 6) => ({
    symbol,
    pricePrecision,
    quantityPrecision: 3,
    minNotional: '0.1',
    market: { type: 'klines', klines: flatMarket(price) } as const,
  })
  const balances = { USDT: '1000000', BTC: '1000', ETH: '1000', LXT: '1000', BHT: '1000' }
  return ExchangeCaller.open({
    listings: [
      listing('BTC/USDT', 100, 2),
      listing('ETH/BTC', 4),
      listing('LXT/USDT', 0.005),
      listing('BHT/USDT', 5),
    ],
    accounts: [{ ...TEST_ACCOUNT, balances, marginBalances: balances }],
  })
}

function call(caller: ExchangeCaller, key: EndpointKey, { request }: Sample, more: object): Answer {
  const { method, path } = ENDPOINTS[key]
  const fields = { ...request?.query, ...request?.body, ...more }
  if (method === 'POST') return caller.post(path, fields)
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, String(value)]),
  ).toString()
  return caller.get(query === '' ? path : `${path}?${query}`)
}

/** Names of all fields, wherever they are; names of pairs and currencies are data. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return 'value'
  const entries = Object.entries(value).map(([name, item]) => [
    /^[A-Z]+(_[A-Z]+)?$/.test(name) ? '*' : name,
    shapeOf(item),
  ])
  return Object.fromEntries(entries)
}

const CASES = Object.keys(SAMPLES)
  .flatMap(name => (hasSamples ? samplesOf(name) : []).map((sample, index) => ({ name, index, sample })))
  .filter(({ name, index }) => !OTHER_FORMS[name]?.includes(index))

function samplesOf(name: string): readonly Sample[] {
  const text = readFileSync(sharedPath('spec', 'samples', `${name}.json`), 'utf8')
  return (JSON.parse(text) as { samples: Sample[] }).samples // the shape of every sample file
}

describe.skipIf(!hasSamples)('a documented request', () => {
  it.each(CASES)('gets an answer with the documented fields: $name $index', ({ name, sample }) => {
    const [key, prepare] = SAMPLES[name] ?? (['spotPing', nothing] as const)
    const caller = open()
    const more = prepare(caller)
    const { status, json } = call(caller, key, sample, more)
    expect(status).toBe(200)
    expect(shapeOf(json)).toMatchObject(shapeOf(JSON.parse(sample.raw)) as object) // the shape of an object or a list
  })
})
