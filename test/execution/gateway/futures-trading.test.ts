import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import type { FuturesClient } from '../../../src/exchange/client/futures-client.ts'
import { ExchangeError } from '../../../src/exchange/errors/exchange-error.ts'
import { FuturesTrading } from '../../../src/execution/gateway/futures-trading.ts'
import type { Likeness, Placement } from '../../../src/execution/gateway/trading-calls.ts'

const SYMBOL = 'BTC/USDT'
const NOW = 1_000_000
const NOT_FOUND = new ExchangeError({
  ...{ endpoint: 'futuresOrders', httpStatus: 400, exchangeCode: -2013, reason: 'Order does not exist.' },
})

interface Asked {
  readonly call: string
  readonly query: unknown
  readonly options?: unknown
}

/** An order to buy 10 contracts at 99, with the given fields instead. */
const listed = (fields: object = {}) => ({
  ...{ orderId: '7', clientOrderId: undefined, contractName: 'E-BTC-USDT', side: 'buy', action: 'open' },
  ...{ type: 'limit', status: 'new', price: new Decimal(99), averagePrice: undefined, time: NOW },
  ...{ orderedVolume: new Decimal(10), executedVolume: new Decimal(4), leverage: new Decimal(5) },
  ...fields,
})

const trade = (id: string, time: number, fields: object = {}) => ({
  ...{ id, orderId: '7', bidId: '7', askId: '8', contractName: 'E-BTC-USDT', side: 'buy', time },
  ...{ liquidity: 'maker', price: new Decimal(99), volume: new Decimal(4), fee: new Decimal('0.02') },
  ...{ bidUserId: '1', askUserId: '2', value: undefined, symbol: undefined },
  ...fields,
})

/** Trades at a futures client that answers with what it is given, and notes what it is asked. */
class Traded {
  details: readonly object[] | Error = []
  open: readonly object[] = []
  past: readonly object[] = []
  trades: readonly object[] = []
  readonly asked: Asked[] = []
  readonly trading: FuturesTrading

  constructor() {
    const note = <Answer>(call: string, query: unknown, answer: Answer, options?: unknown): Answer => {
      this.asked.push({ call, query, ...(options !== undefined && { options }) })
      return answer
    }
    const all = async function* (call: string, query: unknown, answer: readonly object[]) {
      yield* note(call, query, answer)
    }
    const client = {
      placeOrder: async (query: unknown, options: unknown) => note('place', query, { orderId: '7' }, options),
      cancelOrder: async (query: unknown, options: unknown) => note('cancel', query, {}, options),
      orders: async (query: unknown) => {
        const { details } = this
        note('details', query, details)
        if (details instanceof Error) throw details
        return details
      },
      openOrders: async (query: unknown) => note('open', query, this.open),
      historyOrders: async (query: unknown) => note('past', query, this.past),
      allHistoryOrders: (query: unknown) => all('allPast', query, this.past),
      myTrades: async (query: unknown) => note('trades', query, this.trades),
      allMyTrades: (query: unknown) => all('allTrades', query, this.trades),
    }
    this.trading = new FuturesTrading(
      client as unknown as FuturesClient, // as far as it is called
      new Map([[SYMBOL, { contractName: 'E-BTC-USDT', quote: 'USDT', marginMode: 'isolated' }]]),
    )
  }

  /** Looks for an order by its clientOrderId. */
  find(differs: Partial<Likeness> = {}) {
    const likeness: Likeness = {
      ...{ side: 'buy', quantity: '10', price: '99', reduceOnly: false, since: NOW },
      isAnother: orderId => orderId === 'ours',
      ...differs,
    }
    return this.trading.order({ symbol: SYMBOL, clientOrderId: 'bid', likeness })
  }
}

describe('an order of contracts', () => {
  const draft = { symbol: SYMBOL, side: 'sell', quantity: '10', clientOrderId: 'a', reduceOnly: false }
  const common = { contractName: 'E-BTC-USDT', side: 'sell', contracts: '10', positionType: 'isolated' }

  it.each([
    [
      { type: 'limit', price: '99' },
      { type: 'limit', price: '99', action: 'open', clientOrderId: 'a' },
    ],
    [
      { type: 'ioc', price: '99', reduceOnly: true },
      { type: 'ioc', price: '99', action: 'close', clientOrderId: 'a' },
    ],
    [
      { type: 'market', reduceOnly: true, clientOrderId: undefined },
      { type: 'market', action: 'close' },
    ],
  ])('of %j leaves as %j', async (fields, expected) => {
    const traded = new Traded()
    const options = { signal: new AbortController().signal }
    const placement = { ...draft, ...fields } as Placement
    expect(await traded.trading.placeOrder(placement, options)).toEqual({ orderId: '7' })
    expect(traded.asked).toStrictEqual([{ call: 'place', query: { ...common, ...expected }, options }])
  })

  it.each([
    { type: 'stop', triggerPrice: '90' },
    { type: 'market', quantity: undefined, quoteAmount: '5' },
  ])('of %j does not leave', fields => {
    const { quantity, ...rest } = { ...draft, ...fields }
    const placement = { ...rest, ...(quantity !== undefined && { quantity }) } as unknown as Placement
    expect(() => new Traded().trading.placeOrder(placement)).toThrow(
      'An order of E-BTC-USDT is sent as a limit order or a market order of contracts.',
    )
  })

  it('is canceled by the name of its contract', async () => {
    const traded = new Traded()
    const options = { signal: new AbortController().signal }
    await traded.trading.cancelOrder({ symbol: SYMBOL, orderId: '7' }, options)
    const query = { contractName: 'E-BTC-USDT', orderId: '7' }
    expect(traded.asked).toEqual([{ call: 'cancel', query, options }])
  })

  it('of a symbol that is no contract goes nowhere', async () => {
    await expect(new Traded().trading.openOrders({ symbol: 'XRP/USDT' })).rejects.toThrow(
      'No contract has the symbol XRP/USDT.',
    )
  })
})

describe('an order that is looked for', () => {
  it('by the id of the exchange is told as every other order is', async () => {
    const traded = new Traded()
    traded.details = [listed({ clientOrderId: 'bid', averagePrice: new Decimal('98.5') })]
    expect(await traded.trading.order({ symbol: SYMBOL, orderId: '7' })).toEqual({
      ...{ orderId: '7', clientOrderId: 'bid', symbol: SYMBOL, side: 'buy', type: 'limit', status: 'new' },
      ...{ price: new Decimal(99), triggerPrice: undefined, ordered: { quantity: new Decimal(10) } },
      ...{ executedQuantity: new Decimal(4), averagePrice: new Decimal('98.5'), isWorking: undefined },
      time: NOW,
    })
    expect(traded.asked).toEqual([{ call: 'details', query: { contractName: 'E-BTC-USDT', orderId: '7' } }])
  })

  it.each([[[]], [NOT_FOUND]])('and is nowhere is not found (details say %s)', async details => {
    const traded = Object.assign(new Traded(), { details })
    const said = 'No list of the contract has the order.'
    await expect(traded.trading.order({ symbol: SYMBOL, orderId: '7' })).rejects.toMatchObject({
      ...{ exchangeCode: -2013, httpStatus: 200, message: expect.stringContaining(said) },
    })
    await expect(traded.find()).rejects.toThrow(said)
  })

  it('is not given up where a query fails', async () => {
    const traded = Object.assign(new Traded(), { details: new RangeError('No network.') })
    await expect(traded.find()).rejects.toThrow('No network.')
  })

  it.each([
    [
      'details',
      { details: [listed({ clientOrderId: 'other' }), listed({ clientOrderId: 'bid' })] },
      ['details'],
    ],
    [
      'history',
      { past: [listed({ clientOrderId: 'other' }), listed({ clientOrderId: 'bid' })] },
      ['details', 'past'],
    ],
    ['open orders, by its looks', { open: [listed()] }, ['details', 'past', 'open']],
  ])('by our id is found in the %s', async (_where, there, calls) => {
    const traded = Object.assign(new Traded(), there)
    expect(await traded.find()).toMatchObject({ orderId: '7', clientOrderId: 'bid', symbol: SYMBOL })
    expect(traded.asked.map(({ call }) => call)).toEqual(calls)
    expect(traded.asked[0]?.query).toEqual({ contractName: 'E-BTC-USDT', clientOrderId: 'bid' })
    const [, past] = traded.asked
    if (past !== undefined) expect(past.query).toEqual({ contractName: 'E-BTC-USDT', limit: 500 })
  })

  it.each([
    ['side', { side: 'sell' }],
    ['quantity', { orderedVolume: new Decimal(9) }],
    ['price', { price: new Decimal(98) }],
    ['price, as it has none', { price: undefined }],
    ['action', { action: 'close' }],
    ['clientOrderId', { clientOrderId: 'by-hand' }],
    ['time, more than a second too early', { time: NOW - 1001 }],
    ['owner: it is another one of ours', { orderId: 'ours' }],
  ])('is not one of another %s', async (_what, fields) => {
    const traded = Object.assign(new Traded(), { open: [listed(fields)] })
    await expect(traded.find()).rejects.toThrow('No list of the contract has the order.')
  })

  it('looks as it left: as far as clocks agree, to the second, and as a close where it only reduces', async () => {
    const early = Object.assign(new Traded(), { open: [listed({ time: NOW - 1000 })] })
    expect(await early.find()).toMatchObject({ orderId: '7' })
    const closing = Object.assign(new Traded(), {
      open: [listed(), listed({ orderId: '8', action: 'close' })],
    })
    expect(await closing.find({ reduceOnly: true })).toMatchObject({ orderId: '8' })
  })

  it('at market is not known by its looks', async () => {
    const traded = Object.assign(new Traded(), { open: [listed({ price: undefined })] })
    await expect(traded.find({ price: undefined })).rejects.toThrow('No list of the contract has the order.')
  })
})

describe('lists of contracts', () => {
  const contract = { contractName: 'E-BTC-USDT' }

  it('of open orders tell the symbol, or the name of a contract that is not traded', async () => {
    const traded = Object.assign(new Traded(), { open: [listed(), listed({ contractName: 'E-XRP-USDT' })] })
    const open = await traded.trading.openOrders({ symbol: SYMBOL })
    expect(open.map(({ symbol }) => symbol)).toEqual([SYMBOL, 'E-XRP-USDT'])
    expect(traded.asked).toEqual([{ call: 'open', query: contract }])
  })

  it('of past orders begin at their time', async () => {
    const past = [9, 10, 11].map(time => listed({ orderId: `${time}`, time }))
    const traded = Object.assign(new Traded(), { past })
    const orders = await Array.fromAsync(traded.trading.allHistoryOrders({ symbol: SYMBOL, from: 10 }))
    expect(orders.map(({ orderId }) => orderId)).toEqual(['10', '11'])
    expect(traded.asked).toEqual([{ call: 'allPast', query: contract }])
  })

  it('of own trades tell fees in quote, and a trade with oneself', async () => {
    const trades = [
      trade('1', 5),
      trade('2', 6, { askUserId: '1' }),
      trade('3', 7, { bidUserId: undefined, askUserId: undefined }),
    ]
    const traded = Object.assign(new Traded(), { trades })
    const told = await traded.trading.myTrades({ symbol: SYMBOL, limit: 700, fromId: '0' })
    expect(told[0]).toEqual({
      ...{ id: '1', orderId: '7', bidId: '7', askId: '8', symbol: SYMBOL, side: 'buy', liquidity: 'maker' },
      ...{ price: new Decimal(99), quantity: new Decimal(4), fee: new Decimal('0.02'), feeAsset: 'USDT' },
      ...{ time: 5, bidUserId: '1', askUserId: '2', isSelfTrade: false },
    })
    expect(told.map(({ isSelfTrade }) => isSelfTrade)).toEqual([false, true, false])
    await traded.trading.myTrades({ symbol: SYMBOL })
    await traded.trading.myTrades({ symbol: SYMBOL, limit: 1 })
    expect(traded.asked.map(({ query }) => query)).toEqual([
      { ...contract, limit: 500, fromId: '0' },
      { ...contract, limit: 500 },
      { ...contract, limit: 1 },
    ])
  })

  it('of all own trades begin after an id, or at a time', async () => {
    const traded = Object.assign(new Traded(), { trades: [trade('1', 9), trade('2', 10), trade('3', 11)] })
    const { trading } = traded
    const since = await Array.fromAsync(trading.allHistoryTrades({ symbol: SYMBOL, from: 10 }))
    expect(since.map(({ id }) => id)).toEqual(['2', '3'])
    const all = await Array.fromAsync(trading.allMyTrades({ symbol: SYMBOL, fromId: '5' }))
    expect(all.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(traded.asked).toStrictEqual([
      { call: 'allTrades', query: contract },
      { call: 'allTrades', query: { ...contract, fromId: '5' } },
    ])
  })
})
