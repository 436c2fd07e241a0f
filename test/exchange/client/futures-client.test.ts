import { describe, expect, it } from 'vitest'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { NOW, rejectionOf, scriptedExchange } from '../call/scripted-exchange.ts'
import { ManualClock } from '../clock/manual-clock.ts'

const contractName = 'E-BTC-USDT'

const ORDER = {
  orderId: 1,
  contractName: 'e-btc-usdt',
  side: 'SELL',
  action: 'CLOSE',
  type: 'LIMIT',
  status: 'Partially Filled',
  price: 0,
  origQty: 2,
  executedQty: '1',
  avgPrice: '10.50',
  transactTime: 1000,
}

const TARGET = { contractName, side: 'sell', action: 'close', positionType: 'isolated' } as const

describe('placeOrder', () => {
  const base = '"contractName":"E-BTC-USDT"'
  const rest = '"side":"SELL","open":"CLOSE","positionType":2'

  it.each([
    [
      { ...TARGET, type: 'limit', contracts: '2', price: '0.1' } as const,
      `{${base},"volume":2,"orderUnit":2,${rest},"price":0.1,"type":"LIMIT"}`,
    ],
    [
      { ...TARGET, type: 'postOnly', quantity: '0.000000000000000001', price: '1' } as const,
      `{${base},"volume":0.000000000000000001,"orderUnit":1,${rest},"price":1,"type":"LIMIT","timeInForce":"POST_ONLY"}`,
    ],
    [
      { ...TARGET, type: 'market', quoteAmount: '10', clientOrderId: 'mine' } as const,
      `{${base},"volume":10,"orderUnit":3,${rest},"type":"MARKET","clientOrderId":"mine"}`,
    ],
  ])('sends %o with its unit, kind and version', async (placement, body) => {
    const { futures, requests } = scriptedExchange(['{"orderId":256609229205684228}'])
    await expect(futures.placeOrder(placement)).resolves.toEqual({ orderId: '256609229205684228' })
    const [request] = requests
    expect(request?.url).toBe('https://futures.test/fapi/v1/order')
    expect(JSON.parse(request?.body ?? '')).toEqual(JSON.parse(body))
    expect(request?.headers['futures-version']).toBe('101')
  })

  it('writes every digit of a volume', async () => {
    const { futures, requests } = scriptedExchange(['{"orderId":1}'])
    await futures.placeOrder({ ...TARGET, type: 'market', quantity: '0.000000010000000001' })
    expect(requests[0]?.body).toContain('"volume":0.000000010000000001,')
  })
})

describe('placeConditionOrder', () => {
  const placement = { ...TARGET, type: 'limit', contracts: '1', price: '9' } as const

  it('sends the trigger price as text, with the version', async () => {
    const { futures, requests } = scriptedExchange(['{"orderId":1}'])
    await futures.placeConditionOrder({ ...placement, trigger: 'rise', triggerPrice: '10.10' })
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      contractName,
      volume: 1,
      orderUnit: 2,
      side: 'SELL',
      open: 'CLOSE',
      positionType: 2,
      price: 9,
      type: 'LIMIT',
      triggerType: '3UP',
      triggerPrice: '10.1',
    })
    expect(requests[0]?.headers['futures-version']).toBe('101')
  })

  const live = (data: unknown) => JSON.stringify({ code: '0', msg: 'Success', data, succ: true })

  it.each([
    ['{"orderId":7}', { type: 'order', orderId: '7' }],
    [live({ triggerIds: ['1475'], ids: [], cancelIds: [] }), { type: 'trigger', triggerIds: ['1475'] }],
    [live({ triggerIds: [], ids: ['8'], cancelIds: [] }), { type: 'order', orderId: '8' }],
  ])('reads %s', async (answer, expected) => {
    const { futures } = scriptedExchange([answer])
    const placed = futures.placeConditionOrder({ ...placement, trigger: 'fall', triggerPrice: '8' })
    await expect(placed).resolves.toEqual(expected)
  })

  it('does not know what became of it when no id comes back', async () => {
    const { futures } = scriptedExchange([live({ triggerIds: [], ids: [], cancelIds: [] })])
    const placed = futures.placeConditionOrder({ ...placement, trigger: 'fall', triggerPrice: '8' })
    expect(await rejectionOf(placed)).toMatchObject({ code: 'UNKNOWN_OUTCOME' })
  })
})

describe('orders', () => {
  it('reads an array, or one object with its fills, and keeps to the id asked for', async () => {
    const fill = { tradeId: 5, price: '10.5', qty: 1, commission: '0.01', commissionCoin: 'USDT' }
    const other = { ...ORDER, orderId: 2, transactTime: '500' }
    const { futures } = scriptedExchange([
      JSON.stringify([ORDER, other]),
      JSON.stringify([ORDER, other]),
      JSON.stringify({ ...ORDER, timeInForce: 'FOK', clientId: 'mine', fills: [fill] }),
    ])
    await expect(futures.orders({ contractName })).resolves.toMatchObject([
      { orderId: '2' },
      { orderId: '1' },
    ])
    await expect(futures.orders({ contractName, orderId: '1' })).resolves.toMatchObject([{ orderId: '1' }])
    const [order] = await futures.orders({ contractName, orderId: '1' })
    expect(order).toMatchObject({
      contractName,
      clientOrderId: 'mine',
      side: 'sell',
      action: 'close',
      type: 'fok',
      status: 'partiallyFilled',
      price: undefined,
      fills: [{ tradeId: '5', feeAsset: 'USDT' }],
    })
    expect(order?.averagePrice?.toFixed()).toBe('10.5')
  })

  it('asks with the ids in the query', async () => {
    const { futures, requests } = scriptedExchange(['[]'])
    await futures.orders({ contractName: 'e-btc-usdt', orderId: '7', clientOrderId: 'a b' })
    expect(requests[0]?.url).toBe(
      'https://futures.test/fapi/v1/order?contractName=E-BTC-USDT&orderId=7&clientOrderId=a%20b',
    )
  })

  it('is empty where the exchange sends no data', async () => {
    const { futures } = scriptedExchange(['{"code":"0","msg":"success","data":null}'])
    await expect(futures.openOrders({ contractName })).resolves.toEqual([])
  })
})

describe('the futures lists', () => {
  it('send their limit as text and an id beyond 2^53 as a number with all its digits', async () => {
    const { futures, requests } = scriptedExchange(['[]'])
    await futures.historyOrders({ contractName, limit: 500, fromId: '9007199254740993' })
    await futures.historyProfits({ startTime: 1, endTime: 2, fromId: '9007199254740993', limit: 1 })
    await futures.myTrades({ contractName, limit: 500, fromId: '9007199254740993' })
    expect(requests.map(({ url, body }) => new URL(url).search + body)).toEqual([
      '{"contractName":"E-BTC-USDT","limit":"500","fromId":9007199254740993}',
      '{"limit":"1","fromId":9007199254740993,"startTime":1,"endTime":2}',
      '?contractName=E-BTC-USDT&limit=500&fromId=9007199254740993',
    ])
  })

  it.each([
    [1, 'limit'],
    [2, 'market'],
    [3, 'ioc'],
    [4, 'fok'],
    [5, 'postOnly'],
  ])('read order type %i as %s', async (type, expected) => {
    const zeros = { volume: 1, dealVolume: 0, dealMoney: 0, avgPrice: 0, price: 0, leverageLevel: 1 }
    const rates = { openTakerFeeRate: 0, openMakerFeeRate: 0, closeTakerFeeRate: 0, closeMakerFeeRate: 0 }
    const ids = { orderId: 1, clientId: '0', contractId: 1, contractName, ctimeMs: 1 }
    const kinds = { side: 'BUY', openOrClose: 'OPEN', positionType: 1, status: 3, type }
    const { futures } = scriptedExchange([JSON.stringify([{ ...zeros, ...rates, ...ids, ...kinds }])])
    await expect(futures.historyOrders({ contractName })).resolves.toMatchObject([
      { type: expected, status: 'partiallyFilled', positionType: 'cross', clientOrderId: undefined },
    ])
  })
})

describe('the futures market data', () => {
  it('name all tickers by one reading of the list of contracts', async () => {
    const ticker = { high: 2, low: 1, last: 1.5, vol: 3, time: 4 }
    const contract = {
      ...{ symbol: contractName, type: 'E', status: 0, side: 0, multiplier: 0.0001, multiplierCoin: 'BTC' },
      ...{ pricePrecision: 1, minOrderVolume: 1, minOrderMoney: 1, maxMarketVolume: 5_000_000 },
      ...{ maxMarketMoney: 1, maxLimitVolume: 1, maxValidOrder: 20, minLever: 0, maxLever: 150 },
      ...{ openTakerFee: '0.00075', openMakerFee: 0, closeTakerFee: 0, closeMakerFee: 0 },
    }
    const tickers = JSON.stringify({ e_btcusdt: ticker, e_goneusdt: ticker })
    const { futures, requests } = scriptedExchange([tickers, JSON.stringify([contract])])
    await expect(futures.tickers()).resolves.toMatchObject([{ contractName }, { contractName: 'E_GONEUSDT' }])
    await expect(futures.contracts()).resolves.toMatchObject([
      { type: 'perpetual', isTradable: false, side: 'backward', maxLimitMoney: undefined },
    ])
    expect(requests.map(({ url }) => url)).toEqual([
      'https://futures.test/fapi/v1/ticker_all',
      'https://futures.test/fapi/v1/contracts',
      'https://futures.test/fapi/v1/contracts',
    ])
  })

  it('ask for the hour as 1h and for a window', async () => {
    const { futures, requests } = scriptedExchange(['[]'])
    await futures.klines({ contractName, interval: '1h', limit: 300, startTime: 1, endTime: 2 })
    expect(requests[0]?.url).toBe(
      'https://futures.test/fapi/v1/klines?contractName=E-BTC-USDT&interval=1h&limit=300&startTime=1&endTime=2',
    )
  })

  it('read the index by the names of sibling hosts', async () => {
    const { futures } = scriptedExchange([
      '{"indexPrice":1,"tagPrice":"2","currentFundRate":0.0001,"nextFundRate":"-0.0002"}',
    ])
    const read = await futures.indexPrice({ contractName })
    expect([read.markPrice, read.lastFundingRate, read.nextFundingRate].map(String)).toEqual([
      '2',
      '0.0001',
      '-0.0002',
    ])
  })
})

describe('a client without a futures URL', () => {
  it('refuses futures calls and futures feeds in a sentence, and sends nothing', async () => {
    const sent: string[] = []
    const { spot, feeds, futures } = createExchangeClient({
      spotUrl: 'https://exchange.test',
      clock: new ManualClock(NOW),
      transport: async ({ url }) => {
        sent.push(url)
        return { status: 200, body: '{}' }
      },
    })
    expect(await rejectionOf(futures.ping())).toMatchObject({
      message:
        'The call futuresPing was not sent: the futures URL must be given to the client (exchange interface, section 4.5).',
    })
    expect(await rejectionOf(feeds.contracts())).toMatchObject({ parameter: 'the futures URL' })
    await spot.ping()
    expect(sent).toEqual(['https://exchange.test/sapi/v2/ping'])
  })
})
