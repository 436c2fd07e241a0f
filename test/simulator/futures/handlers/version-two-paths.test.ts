import { describe, expect, it } from 'vitest'
import {
  createSimulatedExchange,
  type SimulatedExchange,
} from '../../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../../src/simulator/simulator-config.ts'
import { flatMarket, START } from '../../exchange-caller.ts'
import { FuturesCaller, futuresOf } from '../futures-caller.ts'

/** A request as ccxt 4.5.84 (its class bitrue) puts it on the wire: the target, the body, ms after START, and its signature. */
type Sent = readonly [target: string, body: string, after: number, sign: string]

const open = (side: string, type: string, rest: string) =>
  `{"recvWindow":5000,"side":"${side}","type":"${type}",${rest}}`
const ACCOUNT: Sent = [
  '/fapi/v2/account?',
  '',
  0,
  '85e36870a8212a9186759a373119ec83d4b0ce7d68f32a6e471a4c079687d84a',
]
const LEVERAGE: Sent = [
  '/fapi/v2/level_edit',
  '{"recvWindow":5000,"contractName":"E-BTC-USDT","leverage":10}',
  3,
  '49d59a47f3047be78f9a5168198e2ec75c9e9ae17d5c35dede05003c66fdbafa',
]
const LIMIT: Sent = [
  '/fapi/v2/order',
  open(
    'BUY',
    'LIMIT',
    '"price":"98","contractName":"E-BTC-USDT","amount":2,"volume":2,"positionType":1,"open":"OPEN","leverage":10,"clientOrderId":"mine"',
  ),
  4,
  'ed55f7675177bb2abd50c494ff9403d09731c73e5fb084f970ad903200db0524',
]
const POST_ONLY_ACROSS: Sent = [
  '/fapi/v2/order',
  open(
    'BUY',
    'POST_ONLY',
    '"price":"101","contractName":"E-BTC-USDT","amount":2,"volume":2,"positionType":1,"open":"OPEN","leverage":10,"postOnly":true',
  ),
  6,
  '4bbe748639e12af1593c60ad58f882e66ed4191b2619489821d0ed78c32b3474',
]
const IOC: Sent = [
  '/fapi/v2/order',
  open(
    'BUY',
    'IOC',
    '"price":"101","contractName":"E-BTC-USDT","amount":3,"volume":3,"positionType":1,"open":"OPEN","leverage":10',
  ),
  7,
  '86fd48d14f8f2fd66f9f9381a8d138a3a96bae72374cc3a8539dd2ab0eab6119',
]
const MARKET_CLOSE: Sent = [
  '/fapi/v2/order',
  open(
    'SELL',
    'MARKET',
    '"contractName":"E-BTC-USDT","amount":1,"volume":1,"positionType":1,"open":"CLOSE","leverage":10',
  ),
  8,
  '002ce4b45c1d4c7b9a9feb7ec1f20fef50c63121b4729a30c756e59dbe114dae',
]
const QUERY: Sent = [
  '/fapi/v2/order?clientOrderId=mine&contractName=E-BTC-USDT',
  '',
  9,
  'a69206ca5cdbb427b9e5d2dc0722b8972bb8c6f4cea6a8dae3f6c56511cbf1ea',
]
const OPEN_ORDERS: Sent = [
  '/fapi/v2/openOrders?contractName=E-BTC-USDT',
  '',
  11,
  '7868e92b83177724d909bbd07f559f3b25ea1a111cb5f4a7a5a202bc98a756a0',
]
const TRADES: Sent = [
  '/fapi/v2/myTrades?startTime=1704067199000&limit=5&contractName=E-BTC-USDT',
  '',
  12,
  'ec8f7039f6f0bcfc97ee7a118bd29096e0c659dff2a0ca211c97dae5cee30f38',
]
const CANCEL: Sent = [
  '/fapi/v2/cancel',
  '{"recvWindow":5000,"orderId":"2100000000000000001","contractName":"E-BTC-USDT"}',
  13,
  '082250215cc8488d4edfecca0557f605e44357a9e46a1eaff786aa2a6ed00068',
]
const CANCEL_ALL: Sent = [
  '/fapi/v2/allOpenOrders',
  '{"recvWindow":5000,"contractName":"E-BTC-USDT"}',
  14,
  '6a390c9e74d45eb1074b9a2778d6acf28a403642153257ddf2da8d228c27d943',
]
const MARGIN: Sent = [
  '/fapi/v2/positionMargin',
  '{"recvWindow":5000,"contractName":"E-BTC-USDT","amount":5}',
  15,
  'd73a71f958202189b6ed8526e96efaee41944472277b5803a2217825e03fa05a',
]
const TRANSFER: Sent = [
  '/fapi/v2/futures_transfer',
  '{"recvWindow":5000,"coinSymbol":"USDT","amount":"100","transferType":"wallet_to_contract"}',
  1,
  'af1f13c7f3567de9eaba74ec4b8c926b13cf3780fd57868df6eced3aa4704072',
]
const TRANSFERS: Sent = [
  '/fapi/v2/futures_transfer_history?coinSymbol=USDT',
  '',
  2,
  '9443b79895621d17c2aefe72623cf6eb2d8b007d488050798607ff1281274922',
]

function exchangeAt100(marginMode: 'cross' | 'isolated' = 'cross'): SimulatedExchange {
  const config = futuresOf(flatMarket(100), {}, { marginMode })
  const accounts = [{ ...TEST_ACCOUNT, balances: { USDT: '500' }, futuresBalances: { USDT: '1000' } }]
  return createSimulatedExchange({ ...config, accounts })
}

/** A body makes a POST; the library sends no other headers, and no content type with a GET. */
function answerTo(exchange: SimulatedExchange, [target, body, after, sign]: Sent) {
  const headers = {
    'x-ch-apikey': 'sluice-test-key',
    'x-ch-sign': sign,
    'x-ch-ts': String(START + after),
    ...(body !== '' && { 'content-type': 'application/json' }),
  }
  const method = body === '' ? 'GET' : 'POST'
  const { status, body: text } = exchange.handle({ method, target, headers, body }, START)
  return { status, text, ...JSON.parse(text) }
}

const DONE = { status: 200, code: '0', msg: 'Success', data: null }

describe('the second version of the signed futures paths, asked with the bytes of a third-party library', () => {
  it('answers the account in the envelope, signed without the empty query that is sent', () => {
    const { code, data } = answerTo(exchangeAt100(), ACCOUNT)
    expect([code, data.account[0].marginCoin, data.account[0].accountNormal]).toEqual(['0', 'USDT', 1000])
  })

  it('places, shows and cancels an order without the version header', () => {
    const exchange = exchangeAt100()
    expect(answerTo(exchange, LEVERAGE)).toMatchObject(DONE)
    expect(answerTo(exchange, LIMIT).data).toEqual({ orderId: '2100000000000000001' })
    const found = answerTo(exchange, QUERY)
    expect(found.data).toMatchObject({ status: 'NEW', price: 98, origQty: 2, clientOrderId: 'mine' })
    expect(found.text).toContain('"orderId":2100000000000000001,')
    expect(answerTo(exchange, OPEN_ORDERS).data).toHaveLength(1)
    expect(answerTo(exchange, CANCEL).data).toEqual({ orderId: '2100000000000000001' })
    expect(answerTo(exchange, QUERY).data.status).toBe('CANCELED')
    expect(answerTo(exchange, OPEN_ORDERS).data).toEqual([])
  })

  it('cancels everything on a contract', () => {
    const exchange = exchangeAt100()
    answerTo(exchange, LIMIT)
    expect(answerTo(exchange, CANCEL_ALL)).toMatchObject(DONE)
    expect(answerTo(exchange, OPEN_ORDERS).data).toEqual([])
  })

  it('reads the time in force from the type, and closes what was opened', () => {
    const exchange = exchangeAt100()
    expect(answerTo(exchange, POST_ONLY_ACROSS).data).toEqual({ orderId: '2100000000000000001' })
    answerTo(exchange, IOC)
    answerTo(exchange, MARKET_CLOSE)
    const trades = answerTo(exchange, TRADES).data.map((trade: { side: string; qty: number }) => [
      trade.side,
      trade.qty,
    ])
    expect(trades).toEqual([
      ['SELL', 1],
      ['BUY', 3],
    ])
    const [{ positions }] = answerTo(exchange, ACCOUNT).data.account[0].positionVos
    expect(positions).toMatchObject([{ side: 'BUY', volume: 2, leverageLevel: 10 }])
  })

  it('puts margin into the isolated position of a contract, and refuses without one', () => {
    const exchange = exchangeAt100('isolated')
    expect(answerTo(exchange, MARGIN)).toMatchObject({ status: 400, code: '-2100', data: null })
    const caller = new FuturesCaller(exchange)
    caller.order('BUY', 'OPEN', 'MARKET', 2)
    const before = caller.positions()[0].holdAmount
    expect(answerTo(exchange, MARGIN)).toMatchObject(DONE)
    expect(caller.positions()[0].holdAmount - before).toBeCloseTo(5, 9)
  })

  it('moves money in the direction that one word names, and remembers it', () => {
    const exchange = exchangeAt100()
    expect(answerTo(exchange, TRANSFER)).toMatchObject(DONE)
    expect(answerTo(exchange, ACCOUNT).data.account[0].accountNormal).toBe(1100)
    const moved = { transferType: 'wallet_to_contract', symbol: 'USDT', amount: 100, status: 1, ctime: START }
    expect(answerTo(exchange, TRANSFERS).data).toEqual([moved])
  })

  it('refuses a wrong signature, and a query that names no order', () => {
    const exchange = exchangeAt100()
    const [target, body, after] = LIMIT
    expect(answerTo(exchange, [target, body, after, IOC[3]])).toMatchObject({ status: 401, code: '-1022' })
    const unnamed = new FuturesCaller(exchange).get('/fapi/v2/order?contractName=E-BTC-USDT')
    expect(unnamed.json.code).toBe('-1102')
  })

  it('keeps asking for the version header on the path of the interface document', () => {
    const caller = new FuturesCaller(exchangeAt100())
    const order = { contractName: 'E-BTC-USDT', side: 'BUY', open: 'OPEN', type: 'MARKET', volume: 1 }
    expect(caller.post('/fapi/v1/order', order, { 'futures-version': undefined }).json.code).toBe('-1102')
    expect(caller.post('/fapi/v2/order', order, { 'futures-version': undefined }).json.code).toBe('0')
  })
})
