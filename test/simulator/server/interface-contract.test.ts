import { describe, expect, it } from 'vitest'
import { ENDPOINTS, type EndpointKey } from '../../../src/exchange/endpoints.ts'
import { parseLossless } from '../../../src/exchange/wire/lossless-json.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { type Answer, ExchangeCaller, flatMarket, replayOf } from '../exchange-caller.ts'

interface Busy {
  readonly caller: ExchangeCaller
  /** An open order, an open margin order and a transfer. */
  readonly orderId: string
  readonly marginOrderId: string
  readonly transferId: string
}

/** A caller with an open order, a stop and a trade on spot and on margin, a transfer and a withdrawal. */
function busy(): Busy {
  const balances = { USDT: '10000', BTC: '10' }
  const caller = ExchangeCaller.open(
    replayOf(flatMarket(100), { accounts: [{ ...TEST_ACCOUNT, balances, marginBalances: balances }] }),
  )
  caller.order('SELL', 'MARKET', '1')
  caller.order('SELL', 'STOP', '1', '89', { triggerPrice: '90' })
  const open = caller.order('BUY', 'LIMIT', '1', '90', { newClientOrderId: 'mine' })
  const margin = (fields: object) =>
    caller.post('/sapi/v2/margin/order', { symbol: 'BTC/USDT', side: 'SELL', volume: 1, ...fields })
  margin({ type: 'MARKET' })
  const marginOrderId = margin({ type: 'LIMIT', price: 110 }).json.orderId
  const { transferId } = caller.post('/sapi/v1/asset/transfer', TRANSFER).json.data
  caller.post('/sapi/v1/withdraw/apply', WITHDRAWAL)
  return { caller, orderId: open.json.orderIdString, marginOrderId, transferId }
}

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', volume: '1', price: '90' }
const TRANSFER = { coinSymbol: 'USDT', amount: 1, fromAccount: 'EXCHANGE', toAccount: 'FUTURE' }
const WITHDRAWAL = { withdrawOrderId: 'abc', amount: '1.5', address: 'somewhere', label: '', symbol: 'TUSDT' }
const BATCH = { symbol: 'BTC/USDT', orders: [{ price: 90, volume: 1, side: 'BUY', batchType: 'LIMIT' }] }

type Call = readonly [EndpointKey, (path: string, busy: Busy) => Answer]

const get =
  (query = '') =>
  (path: string, { caller }: Busy) =>
    caller.get(`${path}${query}`)
const post =
  (fields: (busy: Busy) => object) =>
  (path: string, state: Busy): Answer =>
    state.caller.post(path, fields(state))

const CALLS: readonly Call[] = [
  ['spotPing', get()],
  ['spotTime', get()],
  ['spotSymbols', get()],
  ['spotDepth', get('?symbol=BTC/USDT')],
  ['spotTicker', get('?symbol=BTC/USDT')],
  ['spotTicker', get('?symbols=btcusdt')],
  ['spotTicker', get()],
  ['spotTrades', get('?symbol=BTC/USDT')],
  ['spotKlines', get('?symbol=BTC/USDT&interval=1min')],
  ['spotKlines', get('?symbol=BTC/USDT&interval=1day&timezone=UTC-09')],
  ['spotNewOrder', post(() => ORDER)],
  ['spotNewOrder', post(() => ({ ...ORDER, type: 'STOP', triggerPrice: '95' }))],
  ['spotTestOrder', post(() => ORDER)],
  ['spotBatchOrders', post(() => BATCH)],
  ['spotOrder', (path, { caller, orderId }) => caller.get(`${path}?symbol=BTC/USDT&orderId=${orderId}`)],
  ['spotCancel', post(({ orderId }) => ({ symbol: 'BTC/USDT', orderId }))],
  ['spotBatchCancel', post(({ orderId }) => ({ symbol: 'BTC/USDT', orderIds: `[${orderId},17]` }))],
  ['spotOpenOrders', get()],
  ['spotHistoryOrders', get()],
  ['spotMyTradesV2', get('?symbol=BTC/USDT')],
  ['spotMyTradesV3', get()],
  ['spotAccount', get()],
  ['assetTransfer', post(() => TRANSFER)],
  ['assetTransferQuery', post(({ transferId }) => ({ transferId }))],
  ['withdrawApply', post(() => ({ ...WITHDRAWAL, withdrawOrderId: 'next' }))],
  ['withdrawQuery', post(() => ({}))],
  ['marginNewOrder', post(() => ORDER)],
  [
    'marginOrder',
    (path, state) => state.caller.get(`${path}?symbol=BTC/USDT&orderId=${state.marginOrderId}`),
  ],
  ['marginCancel', post(({ marginOrderId }) => ({ symbol: 'BTC/USDT', orderId: marginOrderId }))],
  ['marginOpenOrders', get()],
  ['marginMyTrades', get('?symbol=BTC/USDT')],
  ['feedSummary', get()],
  ['feedAssets', get()],
  ['feedQuotes', get()],
  ['feedOrderBook', get('?base=BTC&quote=USDT&depth=1')],
  ['feedTrades', get('?symbol=BTC/USDT')],
]

/** What the client gives to the schema of an answer: an envelope is taken off. */
function unwrapped(key: EndpointKey, text: string): unknown {
  const json = parseLossless(text)
  const isEnveloped = typeof json === 'object' && json !== null && 'code' in json && 'data' in json
  return isEnveloped && !('keepsEnvelope' in ENDPOINTS[key]) ? json.data : json
}

/** How many entries a list has, wherever the answer keeps it. */
function entriesOf(json: unknown): number | undefined {
  if (Array.isArray(json)) return json.length
  if (typeof json !== 'object' || json === null) return undefined
  return Object.values(json).find(Array.isArray)?.length
}

describe('the table of endpoints', () => {
  it.each(CALLS)('describes what the exchange answers to %s', (key, call) => {
    const state = busy()
    const { path, response } = ENDPOINTS[key]
    const { status, text } = call(path, state)
    const json = unwrapped(key, text)
    expect([status, response.safeParse(json).error]).toEqual([200, undefined])
    // An empty list would say nothing of its entries.
    expect(entriesOf(json)).not.toBe(0)
  })

  it('has nothing of spot, margin, account and feeds that is not tried here', () => {
    const tried = new Set(CALLS.map(([key]) => key))
    const rows = Object.values(ENDPOINTS).filter(({ host }) => host === 'spot')
    expect(rows.filter(({ key }) => !tried.has(key as EndpointKey))).toEqual([]) // the table's own keys
  })

  it('reads the exact id, size and fee of what was traded', () => {
    const { caller, orderId } = busy()
    const [order, stop] = ENDPOINTS.spotOpenOrders.response.parse(
      parseLossless(caller.get('/sapi/v2/openOrders').text),
    )
    expect(order).toMatchObject({ orderId, clientOrderId: 'mine', side: 'buy', type: 'limit', status: 'new' })
    expect([stop?.type, stop?.triggerPrice?.toString(), stop?.isWorking]).toEqual(['stop', '90', false])
    const [trade] = ENDPOINTS.spotMyTradesV2.response.parse(parseLossless(caller.trades().text))
    expect(trade?.fee.toString()).toBe('0.09999')
    expect([trade?.orderId, trade?.side, trade?.liquidity]).toEqual(['1900000000000000001', 'sell', 'taker'])
  })

  it('leads nowhere for no endpoint: every one of the 57 is simulated', () => {
    const { caller } = busy()
    const rows = Object.values(ENDPOINTS)
    expect(rows).toHaveLength(57)
    for (const { key, method, path } of rows) {
      const answer = method === 'GET' ? caller.get(path) : caller.post(path, {})
      expect([answer.status === 404, Number(answer.json.code) === -1020], key).toEqual([false, false])
    }
  })
})
