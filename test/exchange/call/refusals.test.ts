import { describe, expect, it } from 'vitest'
import { contentOf, refusalIn } from '../../../src/exchange/call/error-envelope.ts'
import { isOrderNotFound } from '../../../src/exchange/errors/exchange-error.ts'
import { orderStatusField } from '../../../src/exchange/wire/exchange-order-status.ts'
import { parseLossless } from '../../../src/exchange/wire/lossless-json.ts'
import { rejectionOf, scriptedExchange } from './scripted-exchange.ts'

describe('refusalIn', () => {
  it.each([
    ['{"code":-1121,"msg":"Invalid symbol."}', -1121, 'Invalid symbol.'],
    ['{"code":"-1121","msg":"BAD_SYMBOL","data":null}', -1121, 'BAD_SYMBOL'],
    ['{"code":"-1002","data":null,"msg":"UNAUTHORIZED","msgData":null,"succ":false}', -1002, 'UNAUTHORIZED'],
    [
      '{"timestamp":1,"status":404,"error":"Not Found","message":"No message","path":"/x"}',
      undefined,
      'Not Found: No message',
    ],
    [
      '{"code":"110049","msg":"fail","succ":false,"data":{"custom_error_tips":"Too little."}}',
      110_049,
      'Too little.',
    ],
    ['{"code":"1","msg":"fail","succ":false}', 1, 'fail'],
    ['{"code":"0","msg":"fail","succ":false}', 0, 'fail'],
    ['{"code":"odd"}', undefined, 'no reason given.'],
    ['{"code":"","msg":"系统繁忙","data":null}', undefined, '系统繁忙'],
    ['{"code":-1121,"msg":""}', -1121, 'no reason given.'],
    ['{"code":"10062","msg":"用户余额不足","succ":"false"}', 10_062, '用户余额不足'],
  ])('finds the refusal in %s', (text, code, reason) => {
    expect(refusalIn(parseLossless(text))).toEqual({ code, reason })
  })

  it.each([
    '{}',
    '[]',
    'null',
    '{"code":0,"data":[]}',
    '{"code":"0"}',
    '{"code":"200","data":{}}',
    '{"code":null,"msg":null,"data":{"orderId":1}}',
    '{"code":"0","msg":"成功","data":null}',
    '{"succ":true,"code":"","data":null}',
    '{"status":"NEW"}',
  ])('finds none in %s', text => {
    expect(refusalIn(parseLossless(text))).toBeUndefined()
  })
})

describe('contentOf', () => {
  it.each([
    ['{"code":0,"data":[1]}', ['1']],
    ['{"code":"0","msg":"success","data":null}', null],
    ['{"orderId":1}', { orderId: '1' }],
    ['{"data":{"list":[1]}}', { list: ['1'] }],
    ['{"msg":"成功","data":[1]}', ['1']],
    ['{"code":null,"msg":null,"data":{"orderId":1}}', { orderId: '1' }],
    ['{"succ":true,"data":null}', null],
    // Without a code this may be a failure, and no empty list.
    ['{"msg":"fail","data":null}', { msg: 'fail', data: null }],
    ['{"symbol":"BTC/USDT","data":[1]}', { symbol: 'BTC/USDT', data: ['1'] }],
    ['[]', []],
  ])('takes the content out of %s', (text, content) => {
    expect(contentOf(parseLossless(text))).toEqual(content)
  })
})

describe('a refused call', () => {
  it('names endpoint, code, name, status and the exchange’s words in one sentence', async () => {
    const { spot } = scriptedExchange([{ status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' }])
    const error = await rejectionOf(spot.order({ symbol: 'BTC/USDT', orderId: '1' }))
    expect(isOrderNotFound(error)).toBe(true)
    expect(String(error)).toBe(
      'ExchangeError: The exchange refused spotOrder with -2013 NO_SUCH_ORDER (HTTP 400): Order does not exist.',
    )
  })

  it('names a profile of another host as a possible cause', async () => {
    const asked = { symbol: 'BTC/USDT', orderId: '1' }
    const refusalWith = async (code: number) => {
      const { spot } = scriptedExchange([`{"code":${code},"msg":"no"}`])
      return String(await rejectionOf(spot.order(asked)))
    }
    expect(await refusalWith(-1002)).toContain(
      'with -1002 UNAUTHORIZED (HTTP 200): no A host also answers so to a path or version that it does not have. So look at venue.profile first: npm run doctor -- --venue shows the calls and versions of the host. Only where the path is right is it about the key.',
    )
    const unsigned = await refusalWith(-1022)
    expect(unsigned).toContain(
      'with -1022 INVALID_SIGNATURE (HTTP 200): no If the key and its secret are right',
    )
    expect(unsigned).toContain('is venue.profile that of this host? npm run doctor -- --venue')
    const { spot } = scriptedExchange([{ status: 404, body: '<html>' }])
    expect(String(await rejectionOf(spot.time()))).toContain(
      'It answered HTTP 404 without JSON: it does not know /sapi/v2/time. Is venue.profile that of this host?',
    )
  })

  it('names the key that bounds an order at market where its price is outside the band of the host', async () => {
    const { spot } = scriptedExchange([{ status: 400, body: '{"code":-1138,"msg":"wave"}' }])
    const order = { symbol: 'BTC/USDT', type: 'ioc', side: 'buy', quantity: '1', price: '110' } as const
    expect(String(await rejectionOf(spot.placeOrder(order)))).toContain(
      'with -1138 ORDER_PRICE_WAVE_EXCEED (HTTP 400): wave The price is farther from the market than the host takes. An order at market is sent as far away as execution.maxSlippageRate allows; if it was one, give a smaller rate.',
    )
  })

  it.each([
    ['-1021', 'retry'],
    ['-1022', 'halt'],
    ['-2015', 'halt'],
    ['-1121', 'skip'],
    ['-2017', 'skip'],
    ['987654', 'skip'],
  ])('with code %s asks to %s', async (code, reaction) => {
    const { spot } = scriptedExchange([`{"code":${code},"msg":"no"}`])
    const order = { symbol: 'BTC/USDT', type: 'market', side: 'sell', quantity: '1' } as const
    const error = await rejectionOf(spot.placeOrder(order))
    expect(error).toMatchObject({ code: 'EXCHANGE_REFUSED', exchangeCode: Number(code), reaction })
    expect(isOrderNotFound(error)).toBe(false)
  })
})

describe('a write that is refused with an unreadable code', () => {
  const order = { symbol: 'BTC/USDT', type: 'market', side: 'sell', quantity: '1' } as const

  it.each([
    ['{"code":"OK","msg":"order accepted"}', 'UNKNOWN_OUTCOME'],
    ['{"code":"","msg":"","data":null}', 'UNKNOWN_OUTCOME'],
    ['{"code":"-2017","msg":"余额不足"}', 'EXCHANGE_REFUSED'],
  ])('of %s has the outcome %s', async (body, code) => {
    const { spot } = scriptedExchange([body])
    expect(await rejectionOf(spot.placeOrder(order))).toMatchObject({ code })
  })
})

describe('orderStatusField', () => {
  it.each([
    ['new', [0, '0', 1, 'INIT', 'NEW', 'New Order']],
    ['partiallyFilled', [3, 'PARTIALLY_FILLED', 'PART_FILLED', 'Partially Filled']],
    ['filled', [2, '2', 'FILLED', 'Filled']],
    ['canceled', [4, 'CANCELED', 'CANCELLED', 'Cancelled', 'Partially Filled/Cancelled']],
    ['pendingCancel', [5, 'PENDING_CANCEL', 'To be Cancelled']],
    ['rejected', ['REJECTED']],
    ['expired', [6, 'EXPIRED']],
  ])('reads %s from every spelling', (status, spellings) => {
    for (const spelling of spellings) expect(orderStatusField.parse(spelling)).toBe(status)
  })

  it('does not guess', () => {
    expect(orderStatusField.safeParse('7').success).toBe(false)
    expect(orderStatusField.safeParse('ALMOST').success).toBe(false)
  })
})

describe('an answer that names a member twice', () => {
  it.each([
    ['a refusal', 400, '{"code":-2013,"msg":"Order does not exist.","code":0}', 'code'],
    ['an order', 200, '{"symbol":"BTC/USDT","orderId":"1","status":"NEW","status":"FILLED"}', 'status'],
  ])('cannot be read: %s', async (_what, status, body, key) => {
    const { spot } = scriptedExchange([{ status, body }])
    expect(String(await rejectionOf(spot.order({ symbol: 'BTC/USDT', orderId: '1' })))).toContain(
      `The answer to spotOrder (HTTP ${status}) cannot be read: an object names "${key}" twice. It begins: {"`,
    )
  })

  it.each([410, 418, 429])('is a rate limit all the same where HTTP %d says so', async status => {
    const body = '{"code":-1003,"msg":"Too many requests","code":-1003}'
    const { spot } = scriptedExchange([{ status, body }])
    const error = await rejectionOf(spot.order({ symbol: 'BTC/USDT', orderId: '1' }))
    expect(error).toMatchObject({ code: 'RATE_LIMITED', reaction: 'retry' })
  })

  it('cannot be read: a depth, and klines, whose text is otherwise read without a parser', async () => {
    const depth = '{"bids":[["1","2"]],"asks":[["3","4"]],"bids":[["2","2"]],"time":1588591856950}'
    const kline =
      '{"high":"101","vol":"2","low":"99","idx":1594640340,"close":"100","open":"100","high":"999"}'
    const { spot } = scriptedExchange([
      { status: 200, body: depth },
      { status: 200, body: `[${kline}]` },
    ])
    expect(String(await rejectionOf(spot.depth({ symbol: 'BTC/USDT' })))).toContain('names "bids" twice')
    expect(String(await rejectionOf(spot.klines({ symbol: 'BTC/USDT', interval: '1m' })))).toContain(
      'names "high" twice',
    )
  })
})
