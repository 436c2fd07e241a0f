import { describe, expect, it } from 'vitest'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { ExchangeCaller, flatMarket, klinesOf, MINUTE, replayOf, START } from '../exchange-caller.ts'

const open = (more = {}) => ExchangeCaller.open(replayOf(flatMarket(100, 10), more))

describe('a market order', () => {
  it('buys at the reference price plus one tick and pays its fee in the base it receives', () => {
    const caller = open()
    const order = caller.order('BUY', 'MARKET', '100.01')
    expect(caller.find(order).json).toMatchObject({
      status: 'FILLED',
      executedQty: '1.00000',
      avgPrice: '100.01',
      origQty: '100.01',
    })
    expect(caller.trades().json).toMatchObject([
      {
        price: '100.01',
        qty: '1.00000',
        fee: '0.001',
        feeCoin: 'BTC',
        isBuyer: true,
        isMaker: false,
        isSelf: false,
      },
    ])
    expect(caller.balance('BTC')).toEqual(['10.999', '0'])
    expect(caller.balance('USDT')).toEqual(['9899.99', '0'])
  })

  it('sells at the reference price less one tick and pays its fee in the quote it receives', () => {
    const caller = open()
    const order = caller.order('SELL', 'MARKET', '2')
    expect(caller.find(order).json).toMatchObject({
      status: 'FILLED',
      executedQty: '2.00000',
      avgPrice: '99.99',
    })
    expect(caller.balance('USDT')).toEqual(['10199.78002', '0'])
    expect(caller.balance('BTC')).toEqual(['8', '0'])
  })

  it('buys whole steps only and gives back the change', () => {
    const caller = open()
    const order = caller.order('BUY', 'MARKET', '10.0005')
    expect(caller.find(order).json).toMatchObject({ status: 'FILLED', executedQty: '0.09999' })
    expect(caller.balance('USDT')).toEqual(['9990.0000001', '0'])
  })

  it('whose money does not pay for one step trades nothing and is canceled', () => {
    const caller = ExchangeCaller.open(replayOf(flatMarket(2_000_000)))
    const order = caller.order('BUY', 'MARKET', '15')
    expect(caller.find(order).json).toMatchObject({ status: 'CANCELED', executedQty: '0.00000' })
    expect(caller.balance('USDT')).toEqual(['10000', '0'])
  })

  it('walks the levels of a thin book and is canceled where the book ends', () => {
    const caller = open({ liquidity: { spreadTicks: 5, levelNotionals: ['50', '100'] } })
    const order = caller.order('SELL', 'MARKET', '3')
    // Bids at 99.95 worth 50 and at 99.94 worth 100, in whole steps.
    expect(caller.trades().json.map(({ price, qty }: Record<string, string>) => [price, qty])).toEqual([
      ['99.94', '1.00060'],
      ['99.95', '0.50025'],
    ])
    expect(caller.find(order).json).toMatchObject({ status: 'CANCELED', executedQty: '1.50085' })
    expect(caller.balance('BTC')).toEqual(['8.49915', '0'])
  })
})

it('what orders took of the levels stays away until the next price, also the same one, which is there after 15 s', () => {
  const caller = open({ liquidity: { levelNotionals: ['100', '100'] } })
  const asks = () =>
    caller.get('/sapi/v2/depth?symbol=btcusdt').json.asks.map((level: string[]) => level.slice(0, 2))
  // 100 at 100.01 and at 100.02, in whole steps of 0.00001 BTC.
  const whole = [
    ['100.01', '0.99990'],
    ['100.02', '0.99980'],
  ]
  expect(asks()).toEqual(whole)
  caller.order('BUY', 'LIMIT', '1.5', '101')
  expect(asks()).toEqual([['100.02', '0.49970']])
  caller.now += 14_999
  expect(asks()).toEqual([['100.02', '0.49970']])
  caller.now += 1
  expect(asks()).toEqual(whole)
})

describe('a market buy', () => {
  it('that spends its last bit on the last order of the book is filled', () => {
    const caller = open({ liquidity: { levelNotionals: ['200.02'] } })
    // 2 BTC at 100.01 are all there is.
    const order = caller.order('BUY', 'MARKET', '200.02')
    expect(caller.find(order).json).toMatchObject({ status: 'FILLED', executedQty: '2.00000' })
    expect(caller.get('/sapi/v2/depth?symbol=btcusdt').json.asks).toEqual([])
  })
})

describe('a maker with a rebate', () => {
  it('receives it on top, and the exchange pays for it', () => {
    const caller = ExchangeCaller.open({
      listings: [
        {
          symbol: 'BTC/USDT',
          makerFeeRate: '-0.0005',
          takerFeeRate: '0.001',
          market: { type: 'klines', klines: flatMarket(100) },
        },
      ],
      accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '1000', BTC: '1' } }],
      liquidity: { levelNotionals: [] },
    })
    caller.order('SELL', 'LIMIT', '1', '100')
    caller.order('BUY', 'MARKET', '100')
    // 100 and 0.05 for the maker, 0.999 BTC for the taker.
    expect([caller.balance('BTC')[0], caller.balance('USDT')[0]]).toEqual(['0.999', '1000.05'])
    const { fees } = caller.exchange.state
    expect(amountToText(fees.holding('USDT').free)).toBe('-0.05')
  })
})

describe('an order that meets one of the same user', () => {
  it('trades with it, and both trades say that they are self-dealt', () => {
    const caller = open({ liquidity: { levelNotionals: [] } })
    const [sell, buy] = [caller.order('SELL', 'LIMIT', '1', '100'), caller.order('BUY', 'LIMIT', '1', '101')]
    expect([caller.find(sell).json.status, caller.find(buy).json.status]).toEqual(['FILLED', 'FILLED'])
    const trades = caller.trades().json
    const seen = trades.map(({ isSelf, isBuyer, isMaker }: Record<string, boolean>) => [
      isSelf,
      isBuyer,
      isMaker,
    ])
    expect(seen).toEqual([
      [true, true, false],
      [true, false, true],
    ])
    expect(
      trades.map(({ id, bidUserId, askUserId }: Record<string, number>) => [id, bidUserId, askUserId]),
    ).toEqual([
      [100_001, 10_001, 10_001],
      [100_001, 10_001, 10_001],
    ])
    // Only the fees are gone: 0.001 BTC of the buy, 0.1 USDT of the sale.
    expect([caller.balance('BTC'), caller.balance('USDT')]).toEqual([
      ['9.999', '0'],
      ['9999.9', '0'],
    ])
  })
})

describe('a limit order', () => {
  it('rests, reserves its price and gives the reserve back when it is canceled', () => {
    const caller = open()
    const order = caller.order('BUY', 'LIMIT', '2', '90')
    expect(caller.find(order).json).toMatchObject({ status: 'NEW', executedQty: '0.00000', avgPrice: '0' })
    expect(caller.balance('USDT')).toEqual(['9820', '180'])
    expect(
      caller.post('/sapi/v2/cancel', { symbol: 'BTC/USDT', orderId: order.json.orderIdString }).json,
    ).toEqual({
      symbol: 'BTCUSDT',
      orderId: order.json.orderIdString,
      clientOrderId: '0',
      status: 'CANCELED',
    })
    expect(caller.balance('USDT')).toEqual(['10000', '0'])
  })

  it('that crosses trades at the better price of the book and frees the difference', () => {
    const caller = open()
    caller.order('BUY', 'LIMIT', '1', '105')
    expect(caller.balance('USDT')).toEqual(['9899.99', '0'])
  })

  it('rests with what a thin level could not fill', () => {
    const caller = open({ liquidity: { levelNotionals: ['50'] } })
    const order = caller.order('BUY', 'LIMIT', '1', '100.01')
    expect(caller.find(order).json).toMatchObject({ status: 'PARTIALLY_FILLED', executedQty: '0.49995' })
    expect(caller.balance('USDT')).toEqual(['9899.99', '50.0100005'])
  })

  it('that fills below its limit reserves its limit for the rest alone', () => {
    const caller = open({ liquidity: { levelNotionals: ['50'] } })
    caller.order('BUY', 'LIMIT', '1', '105')
    // 0.49995 bought at 100.01 for 49.9999995; 0.50005 wait at 105.
    expect(caller.balance('USDT')).toEqual(['9897.4947505', '52.50525'])
  })

  it.each([
    ['BUY', 'stays open when the price only touches it', 98, 'NEW'],
    ['BUY', 'is filled at its own price when the price trades through it', 97.99, 'FILLED'],
    ['SELL', 'stays open when the price only touches it', 102, 'NEW'],
    ['SELL', 'is filled at its own price when the price trades through it', 102.01, 'FILLED'],
  ] as const)('to %s %s', (side, _fact, extreme, status) => {
    const path = [100, Math.max(100, extreme), Math.min(100, extreme), 100] as const
    const caller = ExchangeCaller.open(replayOf(klinesOf([100, 100, 100, 100], path)))
    const order = caller.order(side, 'LIMIT', '1', side === 'BUY' ? '98' : '102')
    caller.now = START + 2 * MINUTE
    expect(caller.find(order).json.status).toBe(status)
    const expected = {
      price: side === 'BUY' ? '98.00' : '102.00',
      isMaker: true,
      time: START + MINUTE + 30_000,
    }
    expect(caller.trades().json).toMatchObject(status === 'FILLED' ? [expected] : [])
  })

  it('of an earlier user trades before a later one at the same price', () => {
    const caller = open({ liquidity: { spreadTicks: 10 } })
    const first = caller.order('BUY', 'LIMIT', '1', '100')
    const second = caller.second()
    const later = second.order('BUY', 'LIMIT', '1', '100')
    second.order('SELL', 'LIMIT', '1.5', '100')
    expect(caller.find(first).json.status).toBe('FILLED')
    expect(second.find(later).json).toMatchObject({ status: 'PARTIALLY_FILLED', executedQty: '0.50000' })
    expect(second.trades().json.map(({ isSelf }: { isSelf: boolean }) => isSelf)).toEqual([true, true, false])
  })
})

describe('the time in force', () => {
  const thin = { liquidity: { levelNotionals: ['50'] } }

  it.each([
    ['IOC', '1', '100.01', 'CANCELED', '0.49995'],
    ['FOK', '1', '100.01', 'CANCELED', '0.00000'],
    ['FOK', '0.4', '100.01', 'FILLED', '0.40000'],
    ['POST_ONLY', '0.4', '100.01', 'CANCELED', '0.00000'],
    ['POST_ONLY', '0.4', '100', 'NEW', '0.00000'],
  ])('of %s over %s at %s ends %s with %s executed', (type, volume, price, status, executedQty) => {
    const caller = open(thin)
    const order = caller.order('BUY', type, volume, price)
    expect(caller.find(order).json).toMatchObject({ type, status, executedQty })
    expect(Number(caller.balance('USDT')[1])).toBe(status === 'NEW' ? 40 : 0)
  })
})

describe('orders by client order id', () => {
  it('are queried and canceled by the latest that has it, because it need not be unique', () => {
    const caller = open()
    const [first, latest] = ['90', '91'].map(price =>
      caller.order('BUY', 'LIMIT', '1', price, { newClientOrderId: 'twice' }),
    )
    const query = '/sapi/v2/order?symbol=btcusdt&newClientorderId=twice'
    expect(caller.get(query).json.price).toBe('91.00')
    caller.post('/sapi/v2/cancel', { symbol: 'BTCUSDT', newClientOrderId: 'twice' })
    expect(latest && caller.find(latest).json.status).toBe('CANCELED')
    expect(first && caller.find(first).json.status).toBe('NEW')
  })
})

describe('open orders', () => {
  it('are listed newest first with the digits of their ids', () => {
    const caller = open()
    caller.order('BUY', 'LIMIT', '1', '90', { newClientOrderId: 'a' })
    caller.order('SELL', 'LIMIT', '1', '110')
    const answer = caller.get('/sapi/v2/openOrders?symbol=BTC%2FUSDT&limit=10')
    expect(answer.json).toMatchObject([
      {
        side: 'SELL',
        price: '110.00',
        clientOrderId: '0',
        time: String(START),
        stopPrice: 0,
        isWorking: true,
      },
      { side: 'BUY', price: '90.00', clientOrderId: 'a', symbol: 'BTCUSDT', status: 'NEW' },
    ])
    const [newest, oldest] = answer.json
    expect(BigInt(newest.orderIdString) - BigInt(oldest.orderIdString)).toBe(1n)
    expect(answer.text).toContain(`"orderId":${newest.orderIdString},`)
    expect(Number.isSafeInteger(newest.orderId)).toBe(false)
  })
})

describe('own trades from an id', () => {
  it('are the first from that id on, newest of them first', () => {
    const caller = open()
    for (let count = 0; count < 5; count++) caller.order('BUY', 'MARKET', '20')
    const ids = caller.trades().json.map(({ id }: { id: number }) => id)
    const page = caller.get(`/sapi/v2/myTrades?symbol=BTC/USDT&limit=2&fromId=${ids[3]}`).json
    expect(page.map(({ id }: { id: number }) => id)).toEqual([ids[2], ids[3]])
  })
})

describe('fees', () => {
  it('come from a third asset that the account pays them with, until there is too little of it', () => {
    const config = replayOf(flatMarket(100, 10))
    const [first] = config.accounts ?? []
    const balances = { USDT: '10000', BTC: '10', BNB: '0.03' }
    const caller = ExchangeCaller.open({
      ...config,
      accounts: [{ ...TEST_ACCOUNT, ...first, balances, feesPaidWith: { asset: 'BNB', price: '5' } }],
    })
    // 0.1% of 100.01 quote is 0.10001, at 5 quote each 0.020002 BNB.
    caller.order('BUY', 'MARKET', '100.01')
    expect(caller.trades().json).toMatchObject([{ fee: '0.020002', feeCoin: 'BNB' }])
    expect(caller.balance('BTC')).toEqual(['11', '0'])
    expect(caller.balance('USDT')).toEqual(['9899.99', '0'])
    expect(caller.balance('BNB')).toEqual(['0.009998', '0'])
    caller.order('SELL', 'MARKET', '1')
    // 99.99 less 0.1%.
    expect(caller.balance('USDT')).toEqual(['9999.88001', '0'])
    expect(caller.balance('BNB')).toEqual(['0.009998', '0'])
    expect(amountToText(caller.exchange.state.fees.holding('BNB').free)).toBe('0.020002')
  })

  it('follow the rate of the maker and of the taker', () => {
    const market = { type: 'klines', klines: flatMarket(100) } as const
    const caller = open({
      listings: [{ symbol: 'BTC/USDT', makerFeeRate: '0.0002', takerFeeRate: '0.003', market }],
      liquidity: { spreadTicks: 10 },
    })
    caller.order('BUY', 'LIMIT', '1', '100')
    const second = caller.second()
    second.order('SELL', 'MARKET', '1')
    expect(caller.trades().json).toMatchObject([{ isMaker: true, fee: '0.0002', feeCoin: 'BTC' }])
    expect(second.trades().json).toMatchObject([{ isMaker: false, fee: '0.3', feeCoin: 'USDT' }])
  })
})
