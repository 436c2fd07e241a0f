import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS, type EndpointKey } from '../../../src/exchange/endpoints.ts'
import { parseLossless } from '../../../src/exchange/wire/lossless-json.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'
import { type Answer, flatMarket, START } from '../exchange-caller.ts'
import { FuturesCaller } from '../futures/futures-caller.ts'

const hasSamples = hasShared('spec', 'samples')

interface Sample {
  readonly raw: string
  readonly request?: { readonly query?: Record<string, string | number>; readonly body?: object }
}

/** Rows by sample file, and what must have happened before the documented request can be answered like the documented answer. */
const SAMPLES: Readonly<Record<string, readonly [EndpointKey, (caller: FuturesCaller) => object]>> = {
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
  errors: ['spotDepth', () => ({ symbol: 'NOT/LISTED' })],
  fapi_time: ['futuresTime', nothing],
  fapi_contracts: ['futuresContracts', nothing],
  fapi_depth: ['futuresDepth', () => CONTRACT],
  fapi_ticker: ['futuresTicker', () => CONTRACT],
  fapi_ticker_all: ['futuresTickerAll', nothing],
  fapi_index: ['futuresIndex', () => CONTRACT],
  fapi_klines: ['futuresKlines', () => ({ ...CONTRACT, interval: '1min' })],
  fapi_order_post: ['futuresNewOrder', () => ({ price: 100 })],
  fapi_conditionOrder: ['futuresConditionOrder', () => CONDITION],
  fapi_cancel: ['futuresCancel', caller => ({ ...CONTRACT, orderId: contractsOrdered(caller) })],
  fapi_cancel_all: ['futuresCancelAll', nothing],
  fapi_order_get: ['futuresOrder', futuresTraded],
  fapi_openOrders: ['futuresOpenOrders', futuresTraded],
  fapi_orderHistorical: ['futuresOrderHistorical', futuresTraded],
  fapi_profitHistorical: ['futuresProfitHistorical', futuresTraded],
  fapi_myTrades: ['futuresMyTrades', futuresTraded],
  fapi_edit_user_position_model: ['futuresEditPositionModel', nothing],
  fapi_edit_user_margin_model: ['futuresEditMarginModel', nothing],
  fapi_edit_position_margin: [
    'futuresEditPositionMargin',
    caller => {
      futuresTraded(caller)
      return { positionId: caller.positions()[0].id }
    },
  ],
  fapi_edit_lever: ['futuresEditLever', nothing],
  fapi_account: ['futuresAccount', futuresTraded],
  fapi_get_user_transaction: [
    'futuresTransactions',
    caller => {
      futuresTraded(caller)
      return { beginTime: String(START), endTime: String(START + 1), type: '6' }
    },
  ],
}

/** Feeds of sibling hosts that the interface document does not have, or describes in another form. */
const BEYOND_THE_INTERFACE = [
  'pub_coingecko_contract_orderbook',
  'pub_coingecko_contracts',
  'pub_coingecko_tickers',
]

/** Payloads of hosts whose answers have another form than the interface document's. */
const OTHER_FORMS: Readonly<Record<string, readonly number[]>> = {
  spot_symbols: [1],
  spot_cancel: [1],
  fapi_order_get: [1],
}

const CONTRACT = { contractName: 'E-BTC-USDT' }
const CONDITION = {
  ...{ ...CONTRACT, side: 'BUY', open: 'OPEN', type: 'LIMIT', volume: 1, price: 90, positionType: 1 },
  ...{ triggerType: '4DOWN', triggerPrice: '95' },
}

function nothing(): object {
  return {}
}

function order(symbol: string, price: number) {
  return { symbol, side: 'BUY', type: 'LIMIT', volume: 1000, price }
}

function placed(caller: FuturesCaller, symbol: string): string {
  const volume = symbol === 'BTC/USDT' ? 1 : 1000
  return caller.post('/sapi/v2/order', { ...order(symbol, 1), symbol, volume: volume * 10 }).json
    .orderIdString
}

function marginPlaced(caller: FuturesCaller): string {
  return caller.post('/sapi/v2/margin/order', order('BHT/USDT', 1)).json.orderId
}

function rests(caller: FuturesCaller): object {
  placed(caller, 'BHT/USDT')
  marginPlaced(caller)
  return {}
}

function trades(caller: FuturesCaller): object {
  for (const path of ['/sapi/v2/order', '/sapi/v2/margin/order']) {
    caller.post(path, { symbol: 'ETH/BTC', side: 'BUY', type: 'MARKET', volume: 20 })
  }
  return { symbol: 'ETH/BTC', startTime: START, endTime: START + 1000 }
}

function transferred(caller: FuturesCaller): object {
  const fields = { coinSymbol: 'USDT', amount: 1, fromAccount: 'EXCHANGE', toAccount: 'FUTURE' }
  return { transferId: caller.post('/sapi/v1/asset/transfer', fields).json.data.transferId }
}

/** The id of an order that rests. */
function contractsOrdered(caller: FuturesCaller): string {
  return caller.order('BUY', 'OPEN', 'LIMIT', 3, 96).json.orderId
}

/** A closed isolated position, an open one, and an order that rests. */
function futuresTraded(caller: FuturesCaller): object {
  caller.order('BUY', 'OPEN', 'MARKET', 1000, undefined, { positionType: 2 })
  caller.order('SELL', 'CLOSE', 'MARKET', 1000)
  caller.order('SELL', 'OPEN', 'MARKET', 500, undefined, { positionType: 2 })
  contractsOrdered(caller)
  return CONTRACT
}

function withdrawn(caller: FuturesCaller): object {
  const fields = { withdrawOrderId: 'abc', amount: '1', address: 'somewhere', symbol: 'TUSDT' }
  caller.post('/sapi/v1/withdraw/apply', fields)
  caller.now += 600_000
  return {}
}

/** An exchange that lists what the samples name, at prices their orders fit. */
function open(): FuturesCaller {
  const listing = (symbol: string, price: number, pricePrecision = 6) => ({
    symbol,
    pricePrecision,
    quantityPrecision: 3,
    minNotional: '0.1',
    market: { type: 'klines', klines: flatMarket(price) } as const,
  })
  const balances = { USDT: '1000000', BTC: '1000', ETH: '1000', LXT: '1000', BHT: '1000' }
  const exchange = createSimulatedExchange({
    listings: [
      listing('BTC/USDT', 100, 2),
      listing('ETH/BTC', 4),
      listing('LXT/USDT', 0.005),
      listing('BHT/USDT', 5),
    ],
    accounts: [{ ...TEST_ACCOUNT, balances, marginBalances: balances }],
  })
  return new FuturesCaller(exchange)
}

function call(caller: FuturesCaller, key: EndpointKey, { request }: Sample, more: object): Answer {
  const { method, path } = ENDPOINTS[key]
  const fields = { ...request?.query, ...request?.body, ...more }
  if (method === 'POST') return caller.post(path, fields)
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, String(value)]),
  ).toString()
  return caller.get(query === '' ? path : `${path}?${query}`)
}

/** What the client gives to the schema of an answer: an envelope is taken off. */
function contentOf(key: EndpointKey, text: string): unknown {
  const json = parseLossless(text)
  const isEnvelope = typeof json === 'object' && json !== null && 'code' in json && 'data' in json
  return isEnvelope && !('keepsEnvelope' in ENDPOINTS[key]) ? json.data : json
}

/** Names of all fields, wherever they are; names of pairs and currencies are data. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return 'value'
  const entries = Object.entries(value).map(([name, item]) => [
    /^([A-Z]+(_[A-Z]+)?|e_[a-z]+)$/.test(name) ? '*' : name,
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
    const { status, text, json } = call(caller, key, sample, more)
    expect(status).toBe(name === 'errors' ? 400 : 200)
    expect(shapeOf(json)).toMatchObject(shapeOf(JSON.parse(sample.raw)) as object) // the shape of an object or a list
    if (name !== 'errors')
      expect(ENDPOINTS[key].response.safeParse(contentOf(key, text)).error).toBeUndefined()
  })

  it('is tried of every sample', () => {
    const files = readdirSync(sharedPath('spec', 'samples')).map(file => basename(file, '.json'))
    expect([...Object.keys(SAMPLES), ...BEYOND_THE_INTERFACE].toSorted()).toEqual(files.toSorted())
  })
})
