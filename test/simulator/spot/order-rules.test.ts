import { describe, expect, it } from 'vitest'
import { simulatorConfigOf, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { ExchangeCaller, flatMarket, replayOf } from '../exchange-caller.ts'

const VALID = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', volume: '1', price: '90' }

const REFUSED: readonly (readonly [string, object, number, string])[] = [
  ['an unknown symbol', { symbol: 'XYZ/USDT' }, -1121, 'Invalid symbol.'],
  ['no symbol', { symbol: undefined }, -1121, 'Invalid symbol.'],
  [
    'no side',
    { side: undefined },
    -1102,
    "Mandatory parameter 'side' was not sent, was empty/null, or malformed.",
  ],
  ['a side that is none', { side: 'HOLD' }, -1117, 'Invalid side.'],
  ['no type', { type: '' }, -1102, "Mandatory parameter 'type' was not sent, was empty/null, or malformed."],
  ['a type that is none', { type: 'TWAP' }, -1116, 'Invalid orderType.'],
  [
    'no volume',
    { volume: null },
    -1102,
    "Mandatory parameter 'volume' was not sent, was empty/null, or malformed.",
  ],
  [
    'a volume in words',
    { volume: 'one' },
    -1102,
    "Mandatory parameter 'volume' was not sent, was empty/null, or malformed.",
  ],
  [
    'a limit order without a price',
    { price: undefined },
    -1102,
    "Mandatory parameter 'price' was not sent, was empty/null, or malformed.",
  ],
  [
    'an infinite volume',
    { volume: 'Infinity' },
    -1102,
    "Mandatory parameter 'volume' was not sent, was empty/null, or malformed.",
  ],
  [
    'a volume beyond all integers',
    { volume: 1e20 },
    -1102,
    "Mandatory parameter 'volume' was not sent, was empty/null, or malformed.",
  ],
  [
    'a price finer than the tick',
    { price: '90.001' },
    -1147,
    'Price or volume precision exceeds the maximum.',
  ],
  [
    'a volume finer than the step',
    { volume: '1.000001' },
    -1147,
    'Price or volume precision exceeds the maximum.',
  ],
  [
    'money finer than price times quantity',
    { type: 'MARKET', volume: '10.00000001' },
    -1111,
    'Precision is over the maximum defined for this asset.',
  ],
  ['a volume of zero', { volume: 0 }, -1136, 'Order volume is less than the minimum 0.00100.'],
  ['a negative volume', { volume: -1 }, -1136, 'Order volume is less than the minimum 0.00100.'],
  [
    'a volume below the minimum',
    { volume: '0.00099', price: '90000' },
    -1136,
    'Order volume is less than the minimum 0.00100.',
  ],
  [
    'a price below the minimum',
    { price: '0.99', volume: '100' },
    -1138,
    'Order price is outside the permitted range.',
  ],
  ['a notional below the minimum', { price: '9.99' }, -1160, 'Minimum order amount 10.'],
  ['money below the minimum', { type: 'MARKET', volume: '9.9999' }, -1160, 'Minimum order amount 10.'],
  ['more money than is free', { volume: '112' }, -2017, 'Insufficient balance.'],
  ['more base than is free', { side: 'SELL', volume: '10.00001' }, -2017, 'Insufficient balance.'],
]

const RULES = {
  listings: [
    {
      symbol: 'BTC/USDT',
      minPrice: '1',
      minVolume: '0.001',
      market: { type: 'klines', klines: flatMarket(100) },
    } as const,
  ],
}
const open = () => ExchangeCaller.open(replayOf(flatMarket(100), RULES))

describe('a new order with', () => {
  it.each(REFUSED)('%s is refused', (_fact, fields, code, msg) => {
    for (const path of ['/sapi/v2/order', '/sapi/v2/order/test']) {
      const caller = open()
      const { status, json } = caller.post(path, { ...VALID, ...fields })
      expect([status, json]).toEqual([400, { code, msg }])
      expect(caller.balance('USDT')).toEqual(['10000', '0'])
    }
  })

  it.each([
    ['the smallest notional', { price: '10' }],
    [
      'the smallest volume of a market sell, whatever it is worth',
      { side: 'SELL', type: 'MARKET', volume: '0.001' },
    ],
    ['numbers instead of text', { volume: 1.5, price: 9.05e1 }],
    ['all the money there is', { volume: '100', price: '100' }],
    ['a lower-case concatenated symbol', { symbol: 'btcusdt' }],
    ['trailing zeros beyond the grid', { price: '90.000000' }],
    ['a parameter nobody knows', { colour: 'green' }],
    [
      'empty optional parameters, as in the samples of the operator',
      { newClientOrderId: '', recvWindow: '', recvwindow: '', timeInForce: '', stopPrice: '' },
    ],
  ])('%s is taken', (_fact, fields) => {
    const { status, json } = open().post('/sapi/v2/order', { ...VALID, ...fields })
    expect([status, json.status, json.symbol, json.symbolName]).toEqual([200, '0', 'BTCUSDT', 'BTC/USDT'])
  })
})

describe('the answer to a new order', () => {
  it('has the documented fields and only says that the order was taken', () => {
    const { json, text } = open().post('/sapi/v2/order', { ...VALID, price: 110, newClientOrderId: 'mine' })
    expect(json).toEqual({
      symbol: 'BTCUSDT',
      orderId: Number(json.orderIdString),
      orderIdString: '1900000000000000001',
      clientOrderId: 'mine',
      symbolName: 'BTC/USDT',
      transactTime: '1704067200000',
      price: '110.00',
      origQty: '1.00000',
      executedQty: '0',
      status: '0',
      type: 'LIMIT',
      side: 'BUY',
    })
    expect(text).toContain('"orderId":1900000000000000001,')
  })

  it('is empty for a test order, which changes nothing', () => {
    const caller = open()
    const { json } = caller.post('/sapi/v2/order/test', { ...VALID, newClientorderId: 'mine' })
    expect(json).toEqual({})
    expect(caller.get('/sapi/v2/openOrders').json).toEqual([])
    expect(caller.balance('USDT')).toEqual(['10000', '0'])
  })
})

describe('an order', () => {
  it.each([
    ['that does not exist', { orderId: '17' }, -2013],
    ['with an id in words', { orderId: 'x' }, -1102],
    ['without any id', {}, -1102],
    ['with a client order id nobody used', { newClientOrderId: 'nobody' }, -2013],
    ['of an unknown symbol', { symbol: 'A/B', orderId: '17' }, -1121],
  ])('%s can be neither queried nor canceled', (_fact, fields: Record<string, string>, code) => {
    const caller = open()
    const all = { symbol: 'BTC/USDT', ...fields }
    expect(caller.get(`/sapi/v2/order?${new URLSearchParams(all)}`).json.code).toBe(code)
    expect(caller.post('/sapi/v2/cancel', all).json.code).toBe(code)
  })

  it('of someone else does not exist', () => {
    const caller = open()
    const placed = caller.order('BUY', 'LIMIT', '1', '90')
    const fields = { symbol: 'BTC/USDT', orderId: placed.json.orderIdString }
    expect(caller.second().find(placed).json.code).toBe(-2013)
    expect(caller.second().post('/sapi/v2/cancel', fields).json.code).toBe(-2013)
  })

  it('that is over cannot be canceled', () => {
    const caller = open()
    const filled = caller.order('BUY', 'MARKET', '20')
    const fields = { symbol: 'BTC/USDT', orderId: filled.json.orderIdString }
    expect(caller.post('/sapi/v2/cancel', fields).json.code).toBe(-1145)
  })

  it('too many is refused', () => {
    const caller = ExchangeCaller.open(replayOf(flatMarket(100), { maxOpenOrders: 2 }))
    const codes = [1, 2, 3].map(() => caller.order('BUY', 'LIMIT', '1', '90').json.code)
    expect(codes).toEqual([undefined, undefined, -1015])
  })

  it('may use a client order id twice, unless ids are unique here', () => {
    const order = (caller: ExchangeCaller) =>
      caller.order('BUY', 'LIMIT', '1', '90', { newClientOrderId: 'mine' }).json
    const [usual, strict] = [
      open(),
      ExchangeCaller.open(replayOf(flatMarket(100), { uniqueClientOrderIds: true })),
    ]
    expect([order(usual).code, order(usual).code]).toEqual([undefined, undefined])
    expect([order(strict).code, order(strict).code]).toEqual([undefined, -1102])
    const found = usual.get('/sapi/v2/order?symbol=BTCUSDT&newClientorderId=mine').json
    expect(found.orderIdString).toBe('1900000000000000002')
  })

  it.each([
    ['above the band', '105.01', {}, -1138],
    ['at the edge of the band', '105', {}, undefined],
    ['below the band', '94.99', {}, -1138],
    ['with a trigger outside the band', '106', { type: 'STOP', triggerPrice: '105.01' }, -1138],
    ['of a stop outside the band of its trigger', '110.26', { type: 'STOP', triggerPrice: '105' }, -1138],
    ['of a stop inside the band of its trigger', '110.25', { type: 'STOP', triggerPrice: '105' }, undefined],
  ])('with a price %s gets code %s', (_fact, price, more, code) => {
    const market = { type: 'klines', klines: flatMarket(100) } as const
    const caller = ExchangeCaller.open(
      replayOf([], { listings: [{ symbol: 'BTC/USDT', priceBandRate: '0.05', market }] }),
    )
    expect(caller.order('SELL', 'LIMIT', '1', price, more).json.code).toBe(code)
  })

  it.each([
    ['a frozen pair', { isTrading: false }, {}, 'LIMIT', -2016],
    ['a pair without market orders', { allowsMarketOrders: false }, {}, 'MARKET', -1139],
    ['a pair without market orders', { allowsMarketOrders: false }, {}, 'LIMIT', undefined],
    ['a user who may not trade', {}, { mayTrade: false }, 'LIMIT', 35],
    ['a key that is used from elsewhere', {}, { allowedIps: ['10.0.0.1'] }, 'LIMIT', -2015],
    ['a key that is used from where it may be', {}, { allowedIps: ['127.0.0.1'] }, 'LIMIT', undefined],
  ])('of %s (%j %j, %s) gets code %s', (_fact, listing, account, type, code) => {
    const market = { type: 'klines', klines: flatMarket(100) } as const
    const caller = ExchangeCaller.open({
      listings: [{ symbol: 'BTC/USDT', market, ...listing }],
      accounts: [{ ...TEST_ACCOUNT, balances: { BTC: '1' }, ...account }],
    })
    expect(caller.order('SELL', type, '1', '100').json.code).toBe(code)
  })

  it('to the market of an empty book finds no depth', () => {
    const caller = ExchangeCaller.open(replayOf(flatMarket(100), { liquidity: { levelNotionals: [] } }))
    expect(caller.order('BUY', 'MARKET', '20').json.code).toBe(-1112)
  })
})

describe('a test of an order', () => {
  it.each(['IOC', 'FOK', 'POST_ONLY', 'STOP'])('knows LIMIT and MARKET only, as documented, not %s', type => {
    const { json } = open().post('/sapi/v2/order/test', { ...VALID, type, triggerPrice: '95' })
    expect(json.code).toBe(-1116)
  })
})

describe('refusals', () => {
  it('come with HTTP 200 where the exchange is told to answer like live hosts', () => {
    const caller = ExchangeCaller.open(replayOf(flatMarket(100), { httpOkOnErrors: true }))
    const { status, json } = caller.order('BUY', 'LIMIT', '1', '90.001')
    expect([status, json.code]).toEqual([200, -1147])
  })

  it('of unknown paths look like a live gateway', () => {
    const { status, json } = open().get('/sapi/v9/nothing')
    expect([status, json]).toEqual([
      404,
      { code: '-1002', data: null, msg: 'UNAUTHORIZED', msgData: null, succ: false },
    ])
  })

  it('of a limit that is no number say unknown error, and a limit beyond the maximum is the maximum', () => {
    expect(open().get('/sapi/v2/depth?symbol=BTCUSDT&limit=abc').json.code).toBe(-1000)
    expect(open().get('/sapi/v2/depth?symbol=BTCUSDT&limit=5000').json.bids).toHaveLength(10)
  })

  it.each([
    ['unknown', 'symbol=BTCUSDT&colour=green', -1103, "An unknown parameter was sent: 'colour'."],
    [
      'unknown, and more than one',
      'symbol=BTCUSDT&colour=green&size=big',
      -1104,
      "Not all sent parameters were read; read '1' parameter(s) but was sent '3'.",
    ],
    ['empty', 'symbol=BTCUSDT&limit=', -1105, "Parameter 'limit' was empty."],
    [
      'sent twice',
      'symbol=ETHUSDT&symbol=BTCUSDT',
      -1101,
      "Too many parameters: 'symbol' was sent more than once.",
    ],
  ])('of a parameter that is %s come only from a strict exchange', (_fact, query, code, msg) => {
    const strict = ExchangeCaller.open(replayOf(flatMarket(100), { strictParameters: true }))
    expect(strict.get(`/sapi/v2/depth?${query}`).json).toEqual({ code, msg })
    expect(open().get(`/sapi/v2/depth?${query}`).json.code).toBeUndefined()
    expect(strict.get('/sapi/v2/depth?symbol=BTCUSDT&limit=5&recvWindow=5000').json.code).toBeUndefined()
  })

  it('of a price for a market order come only from a strict exchange', () => {
    const strict = ExchangeCaller.open(replayOf(flatMarket(100), { strictParameters: true }))
    expect(strict.order('SELL', 'MARKET', '1', '90').json.code).toBe(-1106)
    expect(open().order('SELL', 'MARKET', '1', '90').json.code).toBeUndefined()
  })

  it('of control characters name the parameter', () => {
    expect(open().get('/sapi/v2/depth?symbol=BTC%00USDT').json).toEqual({
      code: -1100,
      msg: "Illegal characters found in parameter 'symbol'.",
    })
  })
})

describe('a configuration', () => {
  it.each([
    [{ listings: [{ symbol: 'btc' }] }, 'listings.0.symbol must be a symbol such as BTC/USDT, in capitals.'],
    [{ listings: [{ symbol: 'A/B', minVolume: '0.000001' }] }, 'off the grid'],
    [{ liquidity: { spreadTicks: 0 } }, 'liquidity.spreadTicks must be a whole number of at least 1.'],
    [{ listing: [] }, 'The key "listing" is unknown. Did you mean "listings"?'],
  ])('that cannot be used is refused by name: %j', (config, message) => {
    expect(() => simulatorConfigOf(config)).toThrow(message)
  })
})
