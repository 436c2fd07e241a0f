import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { flatMarket, klinesOf, MINUTE, START } from '../exchange-caller.ts'
import { type ContractInput, FuturesCaller, futuresOf, SECOND } from './futures-caller.ts'

const NAME = { contractName: 'E-BTC-USDT' }
const DAY = 24 * 60 * MINUTE

function open(contract: Partial<ContractInput> = {}, more = {}, klines = flatMarket(100)): FuturesCaller {
  return FuturesCaller.open(futuresOf(klines, contract, more))
}

const LIMIT = { ...NAME, side: 'BUY', open: 'OPEN', type: 'LIMIT', volume: 10, price: 99 }

describe('an order', () => {
  it.each([
    ['of an unknown contract', { contractName: 'E-XYZ-USDT' }, '-1121'],
    ['without a contract', { contractName: undefined }, '-1121'],
    ['of a contract without its hyphens', { contractName: 'e_btcusdt' }, '-1121'],
    ['of another side', { side: 'LONG' }, '-1117'],
    ['that neither opens nor closes', { open: 'HOLD' }, '-1102'],
    ['of another type', { type: 'STOP' }, '-1116'],
    ['of another time in force', { timeInForce: 'DAY' }, '-1102'],
    ['without a price', { price: undefined }, '-1102'],
    ['off the price grid', { price: 99.001 }, '-1147'],
    ['of half a contract', { volume: 1.5 }, '-1147'],
    ['of nothing', { volume: 0 }, '-1136'],
    ['of less than the minimum volume', { volume: 1 }, '-1136'],
    ['of less than the minimum money', { volume: 2, price: 9 }, '-1160'],
    ['of more than the maximum volume', { volume: 501 }, '-2100'],
    ['of more than the maximum money', { volume: 500, price: 101 }, '-2100'],
    ['of more than the maximum volume of a market order', { type: 'MARKET', volume: 401 }, '-2100'],
    ['beyond the price band', { price: 105.01 }, '-1138'],
    ['of another leverage than the contract is set to', { leverageLevel: 20 }, '-1166'],
    ['of an unknown position type', { positionType: 3 }, '-1102'],
    ['of an unknown unit', { orderUnit: 4 }, '-1102'],
    ['with too long a client order id', { clientOrderId: 'x'.repeat(32) }, '-2100'],
    ['with a condition that it would not wait for', { triggerPrice: 98 }, '-1014'],
    ['with a kind of condition', { triggerType: '3UP' }, '-1014'],
    ['with a trigger price of nothing', { triggerPrice: '0' }, '0'],
    ['without a client order id', { clientOrderId: null }, '0'],
    [
      'with empty optional parameters',
      {
        clientOrderId: '',
        leverageLevel: '',
        positionType: '',
        orderUnit: '',
        triggerPrice: '',
        recvWindow: '',
      },
      '0',
    ],
    ['that closes nothing', { open: 'CLOSE' }, '10015'],
    ['of the leverage the contract is set to', { leverageLevel: 10 }, '0'],
  ])('%s is answered %s', (_fact, change, code) => {
    const limits = {
      ...{ minOrderVolume: 2, minOrderMoney: '2', maxLimitVolume: 500, maxLimitMoney: '5000' },
      maxMarketVolume: 400,
    }
    const caller = open(limits)
    const { status, json } = caller.post('/fapi/v1/order', { ...LIMIT, ...change })
    expect([status, json.code ?? '0']).toEqual([code === '0' ? 200 : 400, code])
    expect(caller.post('/fapi/v1/order', LIMIT).status).toBe(200)
  })

  it('needs its margin and the largest fee, losses of cross positions included', () => {
    const caller = open()
    // 1000 pays for 90.9 contracts of 11 - a cross order of 990 contracts at 100 needs 990 + 9.9.
    expect(caller.order('BUY', 'OPEN', 'LIMIT', 991, 100).json.code).toBe('-2017')
    expect(caller.order('BUY', 'OPEN', 'LIMIT', 990, 100).status).toBe(200)
    expect(caller.wallet()).toMatchObject({ accountNormal: 0.1, accountLock: 999.9 })
    expect(caller.order('BUY', 'OPEN', 'LIMIT', 1, 100).json.code).toBe('-2017')
  })

  it('is refused beyond the maximum of valid orders, on a contract that cannot trade, and without its header', () => {
    const caller = open({ maxValidOrder: 2 })
    expect([1, 2, 3].map(() => caller.post('/fapi/v1/order', LIMIT).json.code)).toEqual([
      undefined,
      undefined,
      '-1015',
    ])
    expect(open({ status: 0 }).post('/fapi/v1/order', LIMIT).json.code).toBe('-2016')
    const header = { 'futures-version': undefined }
    expect(open().post('/fapi/v1/order', LIMIT, header).json.code).toBe('-1102')
    expect(open({}, { requiresVersionHeader: false }).post('/fapi/v1/order', LIMIT, header).status).toBe(200)
  })

  it('is refused of an account that may not trade, be it a condition or not', () => {
    const config = futuresOf(flatMarket(100))
    const [first, ...others] = config.accounts ?? []
    if (first === undefined) throw new Error('unreachable')
    const caller = FuturesCaller.open({ ...config, accounts: [{ ...first, mayTrade: false }, ...others] })
    const condition = { ...LIMIT, triggerType: '3UP', triggerPrice: 110 }
    const refused = [
      caller.post('/fapi/v1/order', LIMIT),
      caller.post('/fapi/v1/conditionOrder', condition),
      caller.post('/fapi/v2/order', LIMIT),
    ]
    expect(refused.map(({ status, json }) => [status, json.code])).toEqual(Array(3).fill([400, '35']))
    expect(caller.as(SECOND).post('/fapi/v1/order', LIMIT).status).toBe(200)
  })

  it('may use a client order id twice, unless the exchange is told to refuse that', () => {
    const codes = [false, true].map(uniqueClientOrderIds => {
      const caller = FuturesCaller.open({ ...futuresOf(flatMarket(100)), uniqueClientOrderIds })
      const named = { ...LIMIT, clientOrderId: 'mine' }
      return [
        ...[1, 2].map(() => caller.post('/fapi/v1/order', named).json.code),
        caller.as(SECOND).post('/fapi/v1/order', named).json.code,
      ]
    })
    expect(codes).toEqual([
      [undefined, undefined, undefined],
      [undefined, '-1102', undefined],
    ])
  })

  it.each([
    ['coins', { orderUnit: 1, volume: '1.09' }, 10],
    ['contracts', { orderUnit: 2, volume: '10' }, 10],
    ['contracts, which is usual', { volume: 10 }, 10],
    ['value', { orderUnit: '3', volume: 108.9 }, 11],
  ])('counts its volume in %s', (_unit, fields, contracts) => {
    const caller = open()
    const placed = caller.post('/fapi/v1/order', { ...LIMIT, ...fields })
    expect(caller.find(placed).origQty).toBe(contracts)
  })

  it.each([
    [{ timeInForce: 'IOC' }, 100.01, 'CANCELLED', 'LIMIT', 'IOC', 0],
    [{ type: 'IOC' }, 100.02, 'FILLED', 'LIMIT', 'IOC', 10],
    [{ type: 'MARKET', timeInForce: 'FOK' }, 100.02, 'FILLED', 'LIMIT', 'FOK', 10],
    [{ timeInForce: 'POST_ONLY' }, 100.02, 'CANCELLED', 'LIMIT', 'POST_ONLY', 0],
    [{ type: 'POST_ONLY' }, 100.01, 'NEW', 'LIMIT', 'POST_ONLY', 0],
    [{ timeInForce: 'GTC' }, 100.01, 'NEW', 'LIMIT', '', 0],
  ])('with %o at %f ends %s', (fields, price, status, type, timeInForce, executedQty) => {
    const config = futuresOf(flatMarket(100))
    const caller = FuturesCaller.open({
      ...config,
      liquidity: { spreadTicks: 2, levelNotionals: ['100.02'] },
    })
    const placed = caller.post('/fapi/v1/order', { ...LIMIT, ...fields, price })
    expect(caller.find(placed)).toMatchObject({ status, type, timeInForce, executedQty })
  })

  it('meets the best price first, then the oldest order, of the house and of users alike', () => {
    const config = futuresOf(flatMarket(100))
    const taker = FuturesCaller.open({ ...config, liquidity: { spreadTicks: 3, levelNotionals: ['50.1'] } })
    const maker = taker.as(SECOND)
    const late = maker.order('SELL', 'OPEN', 'LIMIT', 4, 100.02)
    const best = taker.order('SELL', 'OPEN', 'LIMIT', 3, 100.01)
    const last = maker.order('SELL', 'OPEN', 'LIMIT', 5, 100.02)
    const bought = taker.order('BUY', 'OPEN', 'MARKET', 13)
    const prices = taker
      .get('/fapi/v1/myTrades')
      .json.map((trade: { price: number; qty: number; isMaker: boolean }) => [
        ...[trade.price, trade.qty, trade.isMaker],
      ])
    expect(prices).toEqual([
      [100.03, 1, false],
      [100.02, 5, false],
      [100.02, 4, false],
      [100.01, 3, false],
      [100.01, 3, true],
    ])
    expect([taker.find(best), maker.find(late), maker.find(last)].map(({ status }) => status)).toEqual([
      ...['FILLED', 'FILLED', 'FILLED'],
    ])
    expect(taker.find(bought)).toMatchObject({ executedQty: 13, avgPrice: 100.01846153846154 })
  })

  it('closes at most what is held and not being closed already', () => {
    const caller = open()
    caller.order('BUY', 'OPEN', 'MARKET', 10)
    const close = (volume: number) => caller.order('SELL', 'CLOSE', 'LIMIT', volume, 110).json.code
    expect([close(11), close(6), close(5), close(4)]).toEqual(['-1156', undefined, '10015', undefined])
    expect(caller.positions()[0].pendingCloseVolume).toBe(10)
    expect(caller.order('BUY', 'CLOSE', 'LIMIT', 1, 90).json.code).toBe('10015')
  })

  it('nets against the position in net mode, and stands beside it in two-way mode', () => {
    const [net, twoWay] = [open(), open()]
    net.post('/fapi/v1/edit_user_position_model', { ...NAME, positionModel: 1 })
    for (const caller of [net, twoWay]) {
      caller.order('BUY', 'OPEN', 'MARKET', 10)
      caller.order('SELL', 'OPEN', 'MARKET', 15)
    }
    const held = (caller: FuturesCaller) => caller.positions().map(({ side, volume }) => [side, volume])
    expect(held(twoWay)).toEqual([
      ['BUY', 10],
      ['SELL', 15],
    ])
    expect(held(net)).toEqual([['SELL', 5]])
    // Bought at 100.01, sold at 99.99.
    expect(net.post('/fapi/v1/profitHistorical', NAME).json[0]).toMatchObject({
      ...{ side: 'BUY', volume: 10, closeProfit: -0.02, openEndPrice: 100.01, tradeFee: -0.2 },
    })
  })

  it('is found by its id and by its client order id, of which the latest counts', () => {
    const caller = open()
    const first = caller.post('/fapi/v1/order', { ...LIMIT, clientOrderId: 'mine' })
    const second = caller.post('/fapi/v1/order', { ...LIMIT, clientOrderId: 'mine' })
    const by = (query: string) => caller.get(`/fapi/v1/order?contractName=e-btc-usdt&${query}`)
    expect(by(`orderId=${first.json.orderId}`).text).toContain(`"orderId":${first.json.orderId},`)
    expect(by('clientOrderId=mine').text).toContain(`"orderId":${second.json.orderId},`)
    expect(by('orderId=1').json).toEqual({ code: '-2013', msg: 'Order does not exist.', data: null })
    expect(by('').json).toHaveLength(2)
  })

  it('is canceled once, alone or with all others', () => {
    const caller = open()
    const [one] = [caller.post('/fapi/v1/order', LIMIT), caller.post('/fapi/v1/order', LIMIT)]
    const cancel = () => caller.post('/fapi/v1/cancel', { ...NAME, orderId: one?.json.orderId }).json
    expect([cancel(), cancel().code]).toEqual([{ orderId: one?.json.orderId }, '-1145'])
    expect(caller.post('/fapi/v1/cancel_all').json).toEqual({ code: '0', msg: 'Success', data: null })
    expect(caller.get('/fapi/v1/openOrders').json).toEqual([])
    expect(caller.wallet()).toMatchObject({ accountNormal: 1000, accountLock: 0 })
    const statuses = caller.post('/fapi/v1/orderHistorical', { ...NAME, limit: '5' }).json
    expect(statuses.map(({ status, type }: { status: number; type: number }) => [status, type])).toEqual([
      [4, 1],
      [4, 1],
    ])
  })
})

describe('a condition order', () => {
  const UP = { ...NAME, side: 'BUY', open: 'OPEN', type: 'MARKET', volume: 10, triggerPrice: '101' }

  it.each(['3UP', '3', 3])(
    'of type %j becomes an order with the same id once the mark price is there',
    triggerType => {
      const caller = open({}, {}, klinesOf([100, 100.5, 100, 100], [100, 102, 100, 100]))
      const { orderId } = caller.post('/fapi/v1/conditionOrder', { ...UP, triggerType }).json
      const [waiting] = caller.get('/fapi/v1/openOrders').json
      expect(waiting).toMatchObject({ status: 'INIT', triggerType: '3UP', triggerPrice: 101 })
      expect(caller.wallet().accountLock).toBe(0)
      caller.pass(MINUTE)
      expect(caller.get('/fapi/v1/openOrders').json).toHaveLength(1)
      caller.pass(MINUTE)
      expect(caller.find({ ...caller.get('/fapi/v1/time'), json: { orderId } })).toMatchObject({
        ...{ status: 'FILLED', executedQty: 10, avgPrice: 102.01 },
      })
    },
  )

  it('closes what is left of the position, and is rejected where nothing is left', () => {
    const caller = open({}, {}, klinesOf([100, 100, 100, 100], [97, 97, 97, 97]))
    caller.order('BUY', 'OPEN', 'MARKET', 10)
    const stop = {
      ...NAME,
      side: 'SELL',
      open: 'CLOSE',
      type: 'MARKET',
      volume: 10,
      triggerType: '4DOWN',
      triggerPrice: 98,
    }
    const [first, second] = [
      caller.post('/fapi/v1/conditionOrder', stop),
      caller.post('/fapi/v1/conditionOrder', stop),
    ]
    caller.order('SELL', 'CLOSE', 'MARKET', 4)
    caller.pass(MINUTE)
    expect(caller.find(first)).toMatchObject({ status: 'FILLED', executedQty: 6, avgPrice: 96.99 })
    expect(caller.find(second)).toMatchObject({ status: 'REJECTED', executedQty: 0 })
  })

  it('ends after 14 days, or when it is canceled', () => {
    const caller = open()
    const [first, second] = [1, 2].map(() =>
      caller.post('/fapi/v1/conditionOrder', { ...UP, triggerType: '3UP' }),
    )
    if (first === undefined || second === undefined) throw new Error('unreachable')
    caller.post('/fapi/v1/cancel', { ...NAME, orderId: first.json.orderId })
    expect(caller.find(first).status).toBe('CANCELLED')
    caller.pass(14 * DAY - 1)
    expect(caller.find(second).status).toBe('INIT')
    caller.pass(1)
    expect(caller.find(second).status).toBe('EXPIRED')
  })
})

describe('the settings of a contract', () => {
  const edit = (caller: FuturesCaller, path: string, fields: object) =>
    caller.post(`/fapi/v1/${path}`, { ...NAME, ...fields }).json.code

  it.each([
    ['edit_user_position_model', { positionModel: 1 }, { positionModel: 3 }],
    ['edit_user_margin_model', { marginModel: '2' }, { positionModel: 2 }],
    ['edit_lever', { nowLevel: '50' }, {}],
  ])('are changed by %s, refused while an order waits or a position is held', (path, fields, wrong) => {
    const caller = open()
    expect(edit(caller, path, wrong)).toBe('-1102')
    const { orderId } = caller.post('/fapi/v1/order', LIMIT).json
    expect(edit(caller, path, fields)).toBe('-2100')
    caller.post('/fapi/v1/cancel', { ...NAME, orderId })
    caller.order('BUY', 'OPEN', 'MARKET', 10)
    expect(edit(caller, path, fields)).toBe('-2100')
    caller.order('SELL', 'CLOSE', 'MARKET', 10)
    expect([edit(caller, path, fields), edit(caller, path, fields)]).toEqual(['0', '0'])
  })

  it('keep the leverage within the bounds of the contract', () => {
    const caller = open()
    expect([0, 1, 100, 101].map(nowLevel => edit(caller, 'edit_lever', { nowLevel }))).toEqual([
      '-2100',
      '0',
      '0',
      '-2100',
    ])
    caller.order('BUY', 'OPEN', 'MARKET', 10)
    expect(caller.positions()[0].leverageLevel).toBe(100)
  })

  it('follow the position type of the first order, which later orders must share', () => {
    const caller = open()
    expect(caller.order('BUY', 'OPEN', 'LIMIT', 1, 99, { positionType: 2 }).status).toBe(200)
    expect(caller.order('BUY', 'OPEN', 'LIMIT', 1, 99, { positionType: 1 }).json.code).toBe('-1166')
  })
})

describe('the money of a futures account', () => {
  it('comes and goes by transfer, as far as it is available', () => {
    const caller = open()
    caller.order('BUY', 'OPEN', 'LIMIT', 10, 99)
    const { futures } = caller.exchange
    const [account] = futures.accounts
    if (account === undefined) throw new Error('unreachable')
    futures.deposit(account, 'USDT', amountOf('10'))
    expect(() => futures.withdraw(account, 'USDT', amountOf('1000.0011'))).toThrow('Insufficient balance.')
    futures.withdraw(account, 'USDT', amountOf('1000'))
    expect(caller.wallet().accountNormal).toBe(0.001) // 1000 + 10 - 9.999 - 1000
    const body = { beginTime: START, endTime: START, symbol: 'usdt', limit: 2, page: 2, type: '1' }
    const { data } = caller.post('/fapi/v1/get_user_transaction', { ...body, type: undefined }).json
    expect([data.count, data.transList.map(({ type }: { type: string }) => type)]).toEqual([3, ['1']])
    expect(caller.post('/fapi/v1/get_user_transaction', { ...body, page: 1 }).json.data.count).toBe(2)
    expect(caller.post('/fapi/v1/get_user_transaction', { symbol: 'USDT' }).json.code).toBe('-1102')
  })
})
