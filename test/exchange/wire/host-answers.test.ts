import { describe, expect, it } from 'vitest'
import { SluiceError } from '../../../src/domain/sluice-error.ts'
import { rejectionOf, type Script, scriptedExchange } from '../call/scripted-exchange.ts'

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const on = (answer: unknown, ...next: Script[]) =>
  scriptedExchange([typeof answer === 'string' ? answer : JSON.stringify(answer), ...next])

const contractName = 'E-BTC-USDT'
/** An id that a double does not hold. */
const ID = '1938321163093079425'

const SPOT_ORDER = {
  ...{ orderId: ID, symbol: 'ethusdt', price: '2500.5', origQty: '0.4', executedQty: '0.1' },
  ...{ avgPrice: '2500.4', type: 'LIMIT', side: 'BUY', status: 'PARTIALLY_FILLED', time: '1751400000000' },
}
const SPOT_TRADE = {
  ...{ id: 77, symbol: 'ETHUSDT', bidId: ID, askId: 12, price: '2500.5', qty: '0.1', fee: '0.0001' },
  ...{ feeCoin: 'eth', isBuyer: true, isMaker: false, time: 1_751_400_000_000 },
}
const FUTURES_ORDER = {
  ...{ orderId: ID, contractName, side: 'SELL', action: 'CLOSE', type: 'LIMIT', status: 'NEW' },
  ...{ price: 61_000.5, origQty: 3, executedQty: 1, avgPrice: 61_000.5, transactTime: '1751400000000' },
}
const PAST_ORDER = {
  ...{ orderId: ID, contractName, side: 'BUY', openOrClose: 'OPEN', type: 1, status: 2 },
  ...{ price: 61_000, volume: 3, dealVolume: 3, avgPrice: 60_999.5, ctimeMs: 1_751_400_000_000 },
}
const PROFIT = { id: 9, side: 'SELL', volume: 3, closeProfit: -4.5, ctime: 1_751_400_000_000 }
const POSITION = {
  ...{ id: 5, side: 'SELL', positionType: 1, leverageLevel: 20, volume: 54, holdAmount: 0.25 },
}
const WALLET = { marginCoin: 'USDT', accountNormal: 99.5, accountLock: 0, partPositionNormal: 0 }

describe('lists of orders and trades', () => {
  it.each([
    ['bare', [SPOT_ORDER]],
    ['in { list }, as on KoinBay', { list: [SPOT_ORDER] }],
    ['in { code, msg, data }', { code: '0', msg: 'success', data: [SPOT_ORDER] }],
    ['in { code, msg, data: { list } }', { code: 0, msg: '成功', data: { list: [SPOT_ORDER], count: 1 } }],
  ])('of spot are read %s', async (_name, answer) => {
    const [order] = await on(answer).spot.openOrders({ symbol: 'ETH/USDT' })
    expect(plain(order)).toMatchObject({
      ...{ orderId: ID, symbol: 'ETH/USDT', side: 'buy', status: 'partiallyFilled', type: 'limit' },
      ...{ price: '2500.5', ordered: { quantity: '0.4' }, executedQuantity: '0.1', time: 1_751_400_000_000 },
    })
  })

  it('of spot trades are read in { list }, with one side of the ids', async () => {
    const { askId: _, ...half } = SPOT_TRADE
    const [trade] = await on({ list: [half] }).spot.myTrades({ symbol: 'ETH/USDT' })
    expect(plain(trade)).toMatchObject({
      ...{ id: '77', orderId: ID, side: 'buy', liquidity: 'taker', fee: '0.0001', feeAsset: 'ETH' },
    })
  })

  it.each([
    '{"code":"0","msg":"success","data":null}',
    '{"code":0,"msg":"成功","data":[]}',
    '{"code":"0","msg":"","data":{"list":null}}',
    '{"list":[]}',
    '[]',
    'null',
  ])('are empty as %s', async answer => {
    const exchange = on(answer)
    expect(await exchange.futures.openOrders({ contractName })).toEqual([])
    expect(await exchange.spot.openOrders({ symbol: 'ETH/USDT' })).toEqual([])
    expect(await exchange.spot.myTrades({ symbol: 'ETH/USDT' })).toEqual([])
    expect(await exchange.futures.klines({ contractName, interval: '1h' })).toEqual([])
  })

  it('of a futures history are read without the keys that some hosts omit', async () => {
    const [order] = await on([PAST_ORDER]).futures.historyOrders({ contractName })
    expect(plain(order)).toEqual({
      ...{ orderId: ID, contractName, side: 'buy', action: 'open', type: 'limit', status: 'filled' },
      ...{ price: '61000', orderedVolume: '3', executedVolume: '3', averagePrice: '60999.5' },
      ...{ time: 1_751_400_000_000 },
    })
    const [profit] = await on({ code: '0', data: { list: [PROFIT] } }).futures.historyProfits({
      contractName,
    })
    expect(plain(profit)).toEqual({
      ...{ id: '9', direction: 'short', volume: '3', closePnl: '-4.5', createdTime: 1_751_400_000_000 },
    })
  })

  it('of one contract may leave its name out', async () => {
    const { contractName: _, ...nameless } = FUTURES_ORDER
    const [order] = await on([nameless]).futures.openOrders({ contractName })
    expect(order).toMatchObject({ contractName, orderId: ID })
  })

  it.each([
    ['{ data: { transList } }', (list: unknown) => ({ code: '0', data: { transList: list, count: '1' } })],
    ['another key', (list: unknown) => ({ code: '0', data: { page: 1, anything: list } })],
    ['a bare array', (list: unknown) => list],
    ['a bare array in an envelope', (list: unknown) => ({ code: 0, msg: 'Success', data: list })],
  ])('of futures transactions are read as %s', async (_name, wrapped) => {
    const paid = { id: ID, type: '5', amount: '-0.12', ctimeMillis: '1751400000000' }
    const query = { marginCoin: 'USDT', startTime: 1, endTime: 2 }
    const { transactions } = await on(wrapped([paid])).futures.transactions(query)
    expect(plain(transactions)).toEqual([
      { id: ID, type: 'fundingFee', typeCode: 5, amount: '-0.12', time: 1_751_400_000_000 },
    ])
  })
})

describe('answers of writes', () => {
  const order = { symbol: 'ETH/USDT', type: 'limit', side: 'buy', quantity: '1', price: '2500' } as const

  it.each([
    ['an object', { orderId: ID }],
    ['an object in an envelope', { code: '0', msg: '成功', data: { orderId: ID }, succ: true }],
    ['the id alone in an envelope', { code: 0, msg: 'success', data: ID }],
  ])('give the id of a placed order as %s', async (_name, answer) => {
    expect(await on(answer).spot.placeOrder(order)).toMatchObject({ orderId: ID })
    const placement = { contractName, side: 'buy', action: 'open', type: 'limit' } as const
    const futures = { ...placement, contracts: '1', price: '61000', positionType: 'cross' } as const
    expect(await on(answer).futures.placeOrder(futures)).toMatchObject({ orderId: ID })
  })

  it.each([
    ['what is asynchronous', { orderId: ID, symbol: 'ethusdt', status: 'PENDING_CANCEL' }],
    ['a success without content', { code: '0', msg: '成功', data: null }],
  ])('say of a cancel no more than that it was accepted by %s', async (_name, answer) => {
    const reference = { symbol: 'ETH/USDT', orderId: ID }
    expect(await on(answer).spot.cancelOrder(reference)).toMatchObject({ status: 'pendingCancel' })
    expect(await on(answer).futures.cancelOrder({ contractName, orderId: ID })).toEqual({ orderId: ID })
  })

  it('leave the outcome open where they have no id', async () => {
    const error = await rejectionOf(on({ code: '0', msg: 'success', data: null }).spot.placeOrder(order))
    expect(error).toMatchObject({ code: 'UNKNOWN_OUTCOME' })
  })
})

describe('a futures trade', () => {
  const TRADE = {
    ...{ tradeId: 8, bidId: ID, askId: '12', side: 'BUY', isBuyer: true, isMaker: 0, price: '61000.5' },
    ...{ qty: 3, fee: '0.011', time: 1_751_400_000_000 },
  }

  it('is of the side that it gives in one way or the other', async () => {
    for (const key of ['side', 'isBuyer']) {
      const [trade] = await on([{ ...TRADE, [key]: undefined }]).futures.myTrades({ contractName })
      expect(trade).toMatchObject({ side: 'buy', orderId: ID, liquidity: 'taker', contractName })
    }
  })

  it('whose side contradicts itself is refused', async () => {
    const error = await rejectionOf(on([{ ...TRADE, isBuyer: false }]).futures.myTrades({ contractName }))
    expect(String(error)).toContain('0.side: contradicts isBuyer.')
  })
})

describe('market data', () => {
  it('has the time of a host that spells it server_time', async () => {
    expect(await on({ server_time: 1_751_400_000_123 }).spot.time()).toBe(1_751_400_000_123)
    expect(await on({ code: '0', data: { serverTime: '1751400000123' } }).spot.time()).toBe(1_751_400_000_123)
    expect(await rejectionOf(on({ timezone: 'UTC' }).spot.time())).toMatchObject({
      code: 'MALFORMED_RESPONSE',
    })
  })

  it('has a book without a time, whose levels have running totals', async () => {
    const book = { bids: [['10.5', 2, 2, 21]], asks: null, time: null }
    expect(plain(await on(book).spot.depth({ symbol: 'ETH/USDT' }))).toEqual({
      ...{ bids: [{ price: '10.5', quantity: '2' }], asks: [] },
    })
  })

  it('has a mark price that is named tagPrice', async () => {
    const index = { indexPrice: 100.5, tagPrice: '100.25', currentFundRate: '0.0001', nextFundRate: null }
    expect(plain(await on({ code: '0', data: index }).futures.indexPrice({ contractName }))).toEqual({
      ...{ contractName, indexPrice: '100.5', markPrice: '100.25', lastFundingRate: '0.0001' },
    })
  })

  it('has public trades as a bare array with sides in lower case', async () => {
    const print = { id: 3, price: '10', qty: '2', side: 'sell', time: 1_751_400_000_000 }
    const trades = await on([print, { ...print, id: 4, side: 'both' }]).spot.trades({ symbol: 'ETH/USDT' })
    expect(trades).toMatchObject([{ id: '3', side: 'sell' }])
    expect(trades).toHaveLength(1)
  })

  it('leaves out the tickers that cannot be read, and prices that are missing', async () => {
    const all = { e_btcusdt: { last: '100', high: null, buy: '99', sell: 0 }, e_ethusdt: { last: null } }
    const list = on(all, '[{"symbol":"E-BTC-USDT","status":1,"side":1}]')
    expect(plain(await list.futures.tickers())).toEqual([{ contractName, last: '100', bid: '99' }])
  })
})

describe('a contract list', () => {
  const listed = { symbol: 'USDT1802-BTC-USDT', type: 'E', status: 1, side: 1, multiplier: 0.0001 }

  it('is read with names of a broker, and without leverage and fees', async () => {
    const [contract] = await on({ code: '0', msg: '成功', data: [listed] }).futures.contracts()
    expect(plain(contract)).toEqual({
      ...{ contractName: 'USDT1802-BTC-USDT', type: 'perpetual', isTradable: true, side: 'forward' },
      multiplier: '0.0001',
    })
  })

  it('is read without the entries that cannot be read', async () => {
    const odd: unknown[] = []
    const contracts = await on([{ ...listed, status: 'yes' }, listed]).futures.contracts({
      onUnreadable: entry => odd.push(entry),
    })
    expect(contracts).toHaveLength(1)
    expect(odd).toEqual([{ name: 'USDT1802-BTC-USDT', key: 'status', rule: 'must be a whole number' }])
  })
})

describe('the futures account', () => {
  it.each([
    ['{ account }', { account: [WALLET] }],
    ['a bare array', [WALLET]],
    ['{ code, msg, data: { account } }', { code: '0', msg: 'Success', data: { account: [WALLET] } }],
  ])('is read as %s', async (_name, answer) => {
    expect(plain(await on(answer).futures.account())).toEqual([
      { marginCoin: 'USDT', balance: '99.5', orderMargin: '0', isolatedMargin: '0', contracts: [] },
    ])
  })

  it('has positions without what the bot does not need, and tells which cannot be read', async () => {
    const held = { contractName, positions: [POSITION, { ...POSITION, id: '6', volume: 'many' }] }
    const [wallet] = await on({ account: [{ ...WALLET, positionVos: [held] }] }).futures.account()
    expect(plain(wallet?.contracts)).toEqual([
      {
        ...{ contractName, unreadable: [{ name: '6', key: 'volume', rule: 'must be a decimal number' }] },
        positions: [
          {
            ...{ id: '5', direction: 'short', positionType: 'cross', leverage: '20' },
            ...{ volume: '54', margin: '0.25' },
          },
        ],
      },
    ])
  })
})

describe('what would change money', () => {
  const without = (entry: object, key: string, value?: unknown) => ({ ...entry, [key]: value })
  const odd = [undefined, null, '', 'both', {}]

  it.each(['price', 'side', 'status', 'type', 'origQty', 'executedQty', 'orderId'])(
    'is not guessed in a spot order with an odd %s',
    async key => {
      // A price may be missing: that of a market order.
      for (const value of key === 'price' ? ['dear', {}] : odd) {
        if (key === 'orderId' && value === 'both') continue
        const answer = on([without(SPOT_ORDER, key, value)])
        const error = await rejectionOf(answer.spot.openOrders({ symbol: 'ETH/USDT' }))
        expect(error).toMatchObject({ code: 'MALFORMED_RESPONSE' })
        expect(String(error)).toContain(`0.${key}:`)
      }
    },
  )

  it.each(['price', 'qty', 'fee', 'isBuyer', 'isMaker', 'bidId', 'id'])(
    'is not guessed in a spot trade with an odd %s',
    async key => {
      for (const value of odd) {
        if (value === 'both' && /id$/i.test(key)) continue
        const error = await rejectionOf(
          on([without(SPOT_TRADE, key, value)]).spot.myTrades({ symbol: 'ETH/USDT' }),
        )
        expect(error, `${key} ${value}`).toMatchObject({ code: 'MALFORMED_RESPONSE' })
      }
    },
  )

  it.each(['side', 'action', 'status', 'type', 'origQty', 'executedQty', 'orderId'])(
    'is not guessed in a futures order with an odd %s',
    async key => {
      for (const value of odd) {
        if (key === 'orderId' && value === 'both') continue
        const error = await rejectionOf(
          on([without(FUTURES_ORDER, key, value)]).futures.openOrders({ contractName }),
        )
        expect(error, `${key} ${value}`).toMatchObject({ code: 'MALFORMED_RESPONSE' })
      }
    },
  )

  it.each([
    ['an object', {}],
    ['another list', { warnings: [] }],
    ['an envelope without a code', { msg: 'busy', data: null }],
    ['text', '"ok"'],
  ])('is no empty list of orders as %s', async (_name, answer) => {
    const error = await rejectionOf(on(answer).spot.openOrders({ symbol: 'ETH/USDT' }))
    expect(error).toBeInstanceOf(SluiceError)
  })
})
