import { describe, expect, it } from 'vitest'
import { START } from '../exchange-caller.ts'
import { contractOrder, DialectHost, VERSIONED } from './dialect-host.ts'

const GATEWAY = { code: '-1002', data: null, msg: 'UNAUTHORIZED', msgData: null, succ: false }
/** Contract keys of hosts that tell neither leverage, fees nor margin coin. */
const FIFTEEN_KEYS = [
  ...['symbol', 'contractId', 'status', 'type', 'side', 'multiplier', 'multiplierCoin', 'pricePrecision'],
  ...['minOrderVolume', 'minOrderMoney', 'maxMarketVolume', 'maxMarketMoney'],
  ...['maxLimitVolume', 'maxLimitMoney', 'maxValidOrder'],
]
const LIMIT = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', volume: '1', price: '90' }

describe('koinbay', () => {
  it('has spot calls of the first version only, and says of others that nobody is authorized, with HTTP 200', async () => {
    const host = await DialectHost.open('koinbay')
    expect((await host.get('/sapi/v1/time')).json).toEqual({ timezone: 'UTC', serverTime: START })
    for (const path of [
      '/sapi/v2/time',
      '/sapi/v3/historyOrders',
      '/sapi/v1/historyOrders',
      '/fapi/v2/account',
    ]) {
      const { status, json } = await host.get(path)
      expect([path, status, json]).toEqual([path, 200, GATEWAY])
    }
    const transactions = await host.post('/fapi/v1/get_user_transaction', {})
    expect([transactions.status, transactions.json]).toEqual([200, GATEWAY])
  })

  it('lists open orders and own trades inside { list }', async () => {
    const host = await DialectHost.open('koinbay')
    expect((await host.get('/sapi/v1/openOrders?symbol=BTC/USDT')).json).toEqual({ list: [] })
    const { json } = await host.post('/sapi/v1/order', LIMIT)
    await host.post('/sapi/v1/order', { ...LIMIT, side: 'SELL', type: 'MARKET', price: undefined })
    const open = (await host.get('/sapi/v1/openOrders?symbol=BTC/USDT')).json
    expect([Object.keys(open), open.list.length, open.list[0].orderIdString]).toEqual([
      ['list'],
      1,
      json.orderIdString,
    ])
    const trades = (await host.get('/sapi/v1/myTrades?symbol=BTC/USDT')).json
    expect([Object.keys(trades), trades.list.length, trades.list[0].isBuyer]).toEqual([['list'], 1, false])
  })

  it('takes orders of the types LIMIT and MARKET only', async () => {
    const host = await DialectHost.open('koinbay')
    for (const type of ['IOC', 'FOK', 'POST_ONLY', 'STOP']) {
      const { status, json } = await host.post('/sapi/v1/order', { ...LIMIT, type, triggerPrice: '95' })
      expect([type, status, json.code]).toEqual([type, 200, -1116])
    }
    expect((await host.post('/sapi/v1/order', LIMIT)).json.status).toBe('0')
    expect((await host.get('/sapi/v1/openOrders')).json.list).toHaveLength(1)
  })

  it('answers a cancel before the order is canceled', async () => {
    const host = await DialectHost.open('koinbay')
    const { orderIdString: orderId } = (await host.post('/sapi/v1/order', LIMIT)).json
    const canceled = await host.post('/sapi/v1/cancel', { symbol: 'BTC/USDT', orderId })
    expect(canceled.json.status).toBe('PENDING_CANCEL')
    const status = async () =>
      (await host.get(`/sapi/v1/order?symbol=BTC/USDT&orderId=${orderId}`)).json.status
    host.clock.moveTo(START + 699)
    expect(await status()).toBe('PENDING_CANCEL')
    host.clock.moveTo(START + 700)
    expect(await status()).toBe('CANCELED')
  })

  it('has no futures klines of an hour, and a least leverage of 0', async () => {
    const host = await DialectHost.open('koinbay')
    const klines = (interval: string) =>
      host.get(`/fapi/v1/klines?contractName=E-BTC-USDT&interval=${interval}`)
    host.clock.moveTo(START + 70 * 60_000)
    expect((await klines('1h')).text).toBe('[]')
    expect((await klines('1min')).json.length).toBeGreaterThan(60)
    expect((await klines('1h&contractName=E-XXX-USDT')).json.code).toBe('-1121')
    const [contract] = (await host.get('/fapi/v1/contracts')).json
    expect([contract.minLever, contract.maxLever]).toEqual([0, 100])
  })

  it('refuses with HTTP 200', async () => {
    const host = await DialectHost.open('koinbay')
    const { status, json } = await host.get('/sapi/v1/order?symbol=BTC/USDT&orderId=1')
    expect([status, json]).toEqual([200, { code: -2013, msg: 'Order does not exist.' }])
  })
})

describe('zke', () => {
  it('has the calls of the document, those of the second version also as the first', async () => {
    const host = await DialectHost.open('zke')
    for (const path of ['/sapi/v1/time', '/sapi/v2/time', '/fapi/v1/time']) {
      expect([path, (await host.get(path)).json.serverTime]).toEqual([path, START])
    }
    expect((await host.get('/sapi/v3/historyOrders')).json).toEqual([])
    expect((await host.get('/sapi/v3/time')).json).toEqual(GATEWAY)
  })
})

describe('gcbex', () => {
  it('is a spot host of the second version', async () => {
    const host = await DialectHost.open('gcbex')
    expect((await host.get('/sapi/v2/time')).json.serverTime).toBe(START)
    expect((await host.get('/sapi/v1/account')).json.balances).toHaveLength(2)
    for (const path of ['/sapi/v1/time', '/sapi/v3/historyOrders', '/fapi/v1/time']) {
      const { status, json } = await host.get(path)
      expect([status, json]).toEqual([
        404,
        {
          ...{ timestamp: '2024-01-01T00:00:00.000Z', status: 404, error: 'Not Found' },
          ...{ message: 'No message available', path },
        },
      ])
    }
  })
})

describe('xme', () => {
  it('tells neither leverage nor fees of contracts, no time of books, and no ticker of all', async () => {
    const host = await DialectHost.open('xme')
    const [contract] = (await host.get('/fapi/v1/contracts')).json
    expect(Object.keys(contract)).toEqual(FIFTEEN_KEYS)
    expect((await host.get('/sapi/v1/depth?symbol=BTC/USDT')).json.time).toBeNull()
    const depth = (await host.get('/fapi/v1/depth?contractName=E-BTC-USDT')).json
    expect([depth.time, depth.bids.length > 0]).toEqual([null, true])
    expect((await host.get('/fapi/v1/ticker_all')).json.error).toBe('Not Found')
    expect((await host.get('/fapi/v1/ticker?contractName=E-BTC-USDT')).json.time).toBe(START)
  })

  it('lists open contract orders as data, which is null where there are none', async () => {
    const host = await DialectHost.open('xme')
    expect((await host.get('/fapi/v1/openOrders')).json).toEqual({ code: '0', msg: 'success', data: null })
    await host.post('/fapi/v1/order', contractOrder({ type: 'LIMIT', price: 90 }), VERSIONED)
    const { data } = (await host.get('/fapi/v1/openOrders')).json
    expect([data.length, data[0].contractName]).toEqual([1, 'E-BTC-USDT'])
  })

  it('lists transactions as data: { list }', async () => {
    const host = await DialectHost.open('xme')
    const span = { beginTime: String(START), endTime: String(START + 1000), symbol: 'USDT' }
    const { data } = (await host.post('/fapi/v1/get_user_transaction', span)).json
    // 1000 USDT came in when the account opened.
    expect([Object.keys(data), data.list[0].amount]).toEqual([['list'], 1000])
  })

  it('demands the version header of orders', async () => {
    const host = await DialectHost.open('xme')
    const { json } = await host.post('/fapi/v1/order', contractOrder({}))
    expect([json.code, json.msg]).toEqual(['-1102', expect.stringContaining('futures-version')])
  })
})

describe('fameex', () => {
  it('tells its spot time as server_time and has empty futures klines', async () => {
    const host = await DialectHost.open('fameex')
    host.clock.moveTo(START + 3 * 60_000)
    expect((await host.get('/sapi/v1/time')).json).toEqual({ timezone: 'UTC', server_time: START + 180_000 })
    for (const interval of ['1min', '5min', '1h', '1day']) {
      const { text } = await host.get(`/fapi/v1/klines?contractName=E-BTC-USDT&interval=${interval}`)
      expect([interval, text]).toEqual([interval, '[]'])
    }
    expect((await host.get('/sapi/v1/klines?symbol=BTC/USDT&interval=1min')).json.length).toBeGreaterThan(1)
  })

  it('has no condition orders, and null where there are no open ones', async () => {
    const host = await DialectHost.open('fameex')
    expect((await host.post('/fapi/v1/conditionOrder', contractOrder({}), VERSIONED)).json).toEqual(GATEWAY)
    expect((await host.get('/fapi/v1/openOrders')).json.data).toBeNull()
  })

  it('speaks Chinese', async () => {
    const host = await DialectHost.open('fameex')
    const refused = await host.post('/sapi/v1/order', { ...LIMIT, price: '100000', volume: '9' })
    expect([refused.status, refused.json]).toEqual([200, { code: -2017, msg: '余额不足' }])
    const unknown = await host.get('/fapi/v1/depth?contractName=E-XXX-USDT')
    expect(unknown.json).toEqual({ code: '-1121', msg: '币对不存在', data: null })
    const { json } = await host.post('/fapi/v1/edit_lever', { contractName: 'E-BTC-USDT', nowLevel: 5 })
    expect(json).toEqual({ code: '0', msg: '成功', data: null })
  })
})

describe('bitbaby', () => {
  const withoutPrefix = (target: string) => target.replace(/^\/(spot|futures)\/open/, '')

  it('has a prefix for each host, which is not signed', async () => {
    const host = await DialectHost.open('bitbaby', { signs: withoutPrefix })
    expect((await host.get('/spot/open/sapi/v1/time')).json.serverTime).toBe(START)
    expect((await host.get('/futures/open/fapi/v1/time')).json.serverTime).toBe(START)
    expect((await host.get('/spot/open/sapi/v1/openOrders?symbol=BTC/USDT')).json).toEqual([])
    const whole = await DialectHost.open('bitbaby')
    expect((await whole.get('/spot/open/sapi/v1/openOrders')).json.code).toBe(-1022)
  })

  it('answers any other path with a page', async () => {
    const host = await DialectHost.open('bitbaby', { signs: withoutPrefix })
    for (const path of [
      '/sapi/v1/time',
      '/spot/open/fapi/v1/time',
      '/spot/open/sapi/v2/time',
      '/futures/opensapi',
    ]) {
      const { status, type, text } = await host.get(path)
      expect([path, status, type]).toEqual([path, 404, 'text/html; charset=utf-8'])
      expect(text).toContain('404 Not Found')
    }
  })

  it('tells little of its markets', async () => {
    const host = await DialectHost.open('bitbaby', { signs: withoutPrefix })
    const { symbols } = (await host.get('/spot/open/sapi/v1/symbols')).json
    expect(Object.keys(symbols[0])).toEqual([
      ...['symbol', 'baseAsset', 'quoteAsset', 'pricePrecision', 'quantityPrecision'],
      ...['limitPriceMin', 'limitVolumeMin', 'marketBuyMin', 'marketSellMin'],
    ])
    const [contract] = (await host.get('/futures/open/fapi/v1/contracts')).json
    expect(Object.keys(contract)).toEqual(FIFTEEN_KEYS)
  })

  it('opens at market by quote value, and closes by contracts', async () => {
    const host = await DialectHost.open('bitbaby', { signs: withoutPrefix })
    const order = async (fields: object) => {
      const placed = await host.post('/futures/open/fapi/v1/order', contractOrder(fields), VERSIONED)
      // The id is a number on the wire, beyond 2^53.
      const [, id] = /^\{"orderId":(\d{17,})\}$/.exec(placed.text) ?? []
      const query = `contractName=E-BTC-USDT&orderId=${id}`
      return (await host.get(`/futures/open/fapi/v1/order?${query}`)).json[0]
    }
    // The mark price is 100, a contract 0.1 BTC: 55 USDT buy 5 of 10 USDT, and 5 are left over.
    expect((await order({ volume: 55 })).executedQty).toBe(5)
    expect((await order({ volume: 55, orderUnit: 2 })).executedQty).toBe(5)
    expect((await order({ volume: 3, side: 'SELL', open: 'CLOSE' })).executedQty).toBe(3)
    expect((await order({ volume: 3, type: 'LIMIT', price: 101 })).executedQty).toBe(3)
  })
})

describe('odyssey', () => {
  it('has bare arrays, statuses in words and ids as text', async () => {
    const host = await DialectHost.open('odyssey')
    host.clock.moveTo(START + 60_000)
    expect((await host.get('/sapi/v1/trades?symbol=BTC/USDT')).json[0]).toMatchObject({ price: '100.00' })
    const placed = (await host.post('/sapi/v1/order', LIMIT)).json
    expect([placed.status, typeof placed.orderId]).toEqual(['NEW', 'string'])
    const [listed] = (await host.get('/sapi/v1/openOrders')).json
    expect(listed.orderId).toBe(placed.orderId)
    await host.post('/fapi/v1/order', contractOrder({}), VERSIONED)
    const [order] = (await host.post('/fapi/v1/orderHistorical', { contractName: 'E-BTC-USDT' })).json
    expect([order.status, typeof order.orderId, order.type]).toEqual(['FILLED', 'string', 2])
  })

  it('refuses in Chinese, with HTTP 4xx', async () => {
    const { status, json } = await (await DialectHost.open('odyssey')).get('/sapi/v1/depth?symbol=XXX/USDT')
    expect([status, json]).toEqual([400, { code: -1121, msg: '币对不存在' }])
  })

  it('lists transactions as a bare array, and calls the mark price tagPrice', async () => {
    const host = await DialectHost.open('odyssey')
    await host.post('/fapi/v1/order', contractOrder({}), VERSIONED)
    const span = { beginTime: String(START), endTime: String(START + 1000), symbol: 'USDT' }
    const list = (await host.post('/fapi/v1/get_user_transaction', span)).json
    // 2 contracts of 0.1 BTC, bought at the best ask of 100.01: 20.002 USDT at 0.1%; before that 1000 USDT came in.
    expect(list.map(({ type, amount }: { type: string; amount: number }) => [type, amount])).toEqual([
      ['6', -0.020002],
      ['1', 1000],
    ])
    const index = (await host.get('/fapi/v1/index?contractName=E-BTC-USDT')).json
    expect([index.tagPrice, index.indexPrice, 'markPrice' in index, 'time' in index]).toEqual([
      100,
      100,
      false,
      false,
    ])
    const { json } = await host.post('/fapi/v1/cancel_all', {})
    expect(json).toEqual({ code: '0', msg: '成功', data: null })
  })
})

describe.each([
  ['gaiaex', 200, 'application/json; charset=utf-8'],
  ['darkex', 400, 'text/html; charset=utf-8'],
] as const)('%s', (name, refused, unknown) => {
  it('is a futures host whose contracts have names of their own', async () => {
    const host = await DialectHost.open(name)
    const [contract] = (await host.get('/fapi/v1/contracts')).json
    expect(contract.symbol).toBe('USDT1802-BTC-USDT')
    expect(Object.keys((await host.get('/fapi/v1/ticker_all')).json)).toEqual(['usdt1802_btcusdt'])
    const contractName = contract.symbol
    await host.post('/fapi/v1/order', contractOrder({ contractName }), VERSIONED)
    const [trade] = (await host.get(`/fapi/v1/myTrades?contractName=${contractName}`)).json
    expect([trade.contractName, trade.qty]).toEqual([contractName, 2])
    const [coin] = (await host.get('/fapi/v1/account')).json.account
    expect(coin.positionVos[0].contractName).toBe(contractName)
    const other = await host.get('/fapi/v1/depth?contractName=E-BTC-USDT')
    expect([other.status, other.json]).toEqual([refused, { code: '-1121', msg: '', data: null }])
    expect((await host.get('/sapi/v2/time')).type).toBe(unknown)
  })

  it('calls the mark price tagPrice, and tells no settleProfit of closed positions', async () => {
    const host = await DialectHost.open(name)
    const contractName = 'USDT1802-BTC-USDT'
    const index = (await host.get(`/fapi/v1/index?contractName=${contractName}`)).json
    expect([index.tagPrice, 'markPrice' in index]).toEqual([100, false])
    await host.post('/fapi/v1/order', contractOrder({ contractName }), VERSIONED)
    const close = contractOrder({ contractName, side: 'SELL', open: 'CLOSE' })
    await host.post('/fapi/v1/order', close, VERSIONED)
    const [profit] = (await host.post('/fapi/v1/profitHistorical', { contractName })).json
    // 2 contracts of 0.1 BTC, bought at 100.01 and sold at 99.99.
    expect([profit.closeProfit, 'settleProfit' in profit]).toEqual([-0.004, false])
  })
})

describe('bitrue', () => {
  it('has signed calls of the second version, every answer in an envelope, and null for an empty list', async () => {
    const host = await DialectHost.open('bitrue')
    const inside = (data: unknown) => ({ code: '0', msg: 'success', data })
    for (const version of ['v1', 'v2']) {
      const { json } = await host.get(`/fapi/${version}/time`)
      expect(json).toEqual(inside({ serverTime: START, timezone: 'UTC' }))
    }
    expect((await host.get('/fapi/v2/openOrders')).json).toEqual(inside(null))
    const unknown = await host.get('/fapi/v1/openOrders')
    expect([unknown.status, unknown.json]).toEqual([200, GATEWAY])
    expect((await host.get('/fapi/v2/account')).json.data.account[0].accountNormal).toBe(1000)
    const { json } = await host.post('/fapi/v2/edit_lever', { contractName: 'E-BTC-USDT', nowLevel: 5 })
    expect(json).toEqual({ code: '0', msg: 'Success', data: null })
  })

  it('takes orders without the version header, at market by quote value', async () => {
    const host = await DialectHost.open('bitrue')
    const { orderId } = (await host.post('/fapi/v2/order', contractOrder({ volume: 39 }))).json.data
    const { data } = (await host.get(`/fapi/v2/order?contractName=E-BTC-USDT&orderId=${orderId}`)).json
    expect(data[0].executedQty).toBe(3)
    expect((await host.get('/sapi/v2/time')).json).toEqual(GATEWAY)
  })
})
