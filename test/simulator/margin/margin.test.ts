import { describe, expect, it } from 'vitest'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { ExchangeCaller, flatMarket, klinesOf, START } from '../exchange-caller.ts'

/** A margin account with 1000 USDT on a market that stands at 100, and no spot balances. */
function open(more: SimulatorConfigInput = {}, klines = flatMarket(100)): ExchangeCaller {
  return ExchangeCaller.open({
    listings: [
      { symbol: 'BTC/USDT', takerFeeRate: '0', makerFeeRate: '0', market: { type: 'klines', klines } },
    ],
    accounts: [{ ...TEST_ACCOUNT, balances: {}, marginBalances: { USDT: '1000' } }],
    ...more,
  })
}

function order(caller: ExchangeCaller, side: string, volume: number, price?: number, more: object = {}) {
  const type = price === undefined ? 'MARKET' : 'LIMIT'
  return caller.post('/sapi/v2/margin/order', { symbol: 'BTC/USDT', side, type, volume, price, ...more })
}

/** `[free, locked, owed]` of an asset. */
function moneyOf({ exchange }: ExchangeCaller, asset: string): readonly string[] {
  const margin = exchange.state.users[0]?.margin
  const { free, locked } = margin?.account.holding(asset) ?? {}
  const owed = margin?.credit.debts.get(asset)
  return [free, locked, owed].map(amount => (amount === undefined ? '0' : amountToText(amount)))
}

describe('a margin order', () => {
  it('answers like the documented one: its id is text and its status NEW', () => {
    const { json } = order(open(), 'BUY', 1, 90, { newClientOrderId: 'mine', isolated: true })
    expect(json).toEqual({
      symbol: 'BTCUSDT',
      orderId: '1900000000000000001',
      clientOrderId: 'mine',
      transactTime: '1704067200000',
      price: '90.00',
      origQty: '1.00000',
      executedQty: '0',
      status: 'NEW',
      type: 'LIMIT',
      side: 'BUY',
    })
  })

  it('borrows nothing while there is enough', () => {
    const caller = open()
    order(caller, 'BUY', 10, 100)
    expect(moneyOf(caller, 'USDT')).toEqual(['0', '1000', '0'])
  })

  it('borrows what it lacks, and pays back when it is canceled', () => {
    const caller = open()
    const { orderId } = order(caller, 'BUY', 25, 100).json
    expect(moneyOf(caller, 'USDT')).toEqual(['0', '2500', '1500'])
    const canceled = caller.post('/sapi/v2/margin/cancel', { symbol: 'BTC/USDT', orderId })
    expect(canceled.json).toEqual({ symbol: 'BTCUSDT', clientOrderId: '0', orderId, status: 'CANCELED' })
    expect(moneyOf(caller, 'USDT')).toEqual(['1000', '0', '0'])
  })

  it('sells what it does not have, and buys it back', () => {
    const caller = open()
    order(caller, 'SELL', 10)
    expect([moneyOf(caller, 'BTC'), moneyOf(caller, 'USDT')]).toEqual([
      ['0', '0', '10'],
      ['1999.9', '0', '0'],
    ])
    order(caller, 'BUY', 1000.1)
    expect([moneyOf(caller, 'BTC'), moneyOf(caller, 'USDT')]).toEqual([
      ['0', '0', '0'],
      ['999.8', '0', '0'],
    ])
  })

  it.each([
    ['a buy up to its leverage', 'BUY', 29.9, 100, undefined],
    ['a buy beyond its leverage', 'BUY', 30.1, 100, -2017],
    ['a sale up to its leverage', 'SELL', 20, 101, undefined],
    ['a sale beyond its leverage', 'SELL', 20.1, 101, -2017],
  ])('is bounded by the equity: %s', (_fact, side, volume, price, code) => {
    expect(order(open(), side, volume, price).json.code).toBe(code)
  })

  it('borrows nothing at a leverage of 1, and more at a higher one', () => {
    expect(order(open({ margin: { maxLeverage: 1 } }), 'BUY', 10.1, 100).json.code).toBe(-2017)
    expect(order(open({ margin: { maxLeverage: '5' } }), 'BUY', 49.9, 100).json.code).toBeUndefined()
  })

  it('costs interest for every full hour, whoever looks in between', () => {
    const run = (looks: number) => {
      const caller = open({ margin: { hourlyInterestRate: '0.01' } })
      caller.now = START + 60_000
      order(caller, 'SELL', 10)
      for (let look = 1; look <= looks; look++) {
        caller.now = START + (look * 7_260_000) / looks
        order(caller, 'BUY', 20, 10)
        caller.get('/sapi/v2/margin/openOrders')
      }
      caller.now = START + 7_260_000
      order(caller, 'SELL', 1)
      return moneyOf(caller, 'BTC')[2]
    }
    // 10 × 1.01², and 1 more.
    expect([run(0), run(5)]).toEqual(['11.201', '11.201'])
  })

  it('counts the loss of what it holds: a fall takes its credit', () => {
    const caller = open({}, klinesOf([100, 100, 100, 100], [70, 70, 70, 70]))
    order(caller, 'BUY', 2000)
    caller.now = START + 60_000
    // 19.998 BTC at 70 are 1399.86 against 1000 owed: 399.86 of equity carry no more than they do.
    expect(order(caller, 'SELL', 25, 71).json.code).toBe(-2017)
  })

  it('is in lists of its own, with the fields of the supplement', () => {
    const caller = open()
    const resting = order(caller, 'BUY', 1, 90, { newClientOrderId: 'mine' }).json.orderId
    order(caller, 'SELL', 1)
    expect(caller.get('/sapi/v2/margin/openOrders').json).toEqual([
      {
        orderId: resting,
        symbol: 'BTCUSDT',
        price: '90.00',
        origQty: '1.00000',
        executedQty: '0.00000',
        avgPrice: '0',
        status: 'NEW',
        type: 'LIMIT',
        side: 'BUY',
        time: '1704067200000',
      },
    ])
    const [trade] = caller.get('/sapi/v2/margin/myTrades?symbol=BTC/USDT').json
    expect(trade).toMatchObject({
      price: '99.99',
      qty: '1.00000',
      isBuyer: false,
      isMaker: false,
      feeCoin: 'USDT',
    })
    expect(Object.keys(trade)).not.toContain('bidUserId')
    const found = caller.get('/sapi/v2/margin/order?symbol=BTC/USDT&newClientOrderId=mine').json
    expect(found).toMatchObject({ orderId: resting, transactTime: '1704067200000' })
    expect(caller.get('/sapi/v2/openOrders').json).toEqual([])
    expect(caller.get(`/sapi/v2/order?symbol=BTC/USDT&orderId=${resting}`).json.code).toBe(-2013)
  })

  it.each([
    [{ type: 'IOC', price: 90 }, -1116],
    [{ type: 'LIMIT', price: 90, newClientOrderId: 'x'.repeat(33) }, -1102],
    [{ type: 'LIMIT', price: 90, newClientOrderId: 'x'.repeat(32) }, undefined],
  ])('has two types and a short client order id: %j', (fields, code) => {
    const body = { symbol: 'BTC/USDT', side: 'BUY', volume: 1, ...fields }
    expect(open().post('/sapi/v2/margin/order', body).json.code).toBe(code)
  })

  it('that meets a spot order of the same user is self-dealt', () => {
    const caller = open({
      accounts: [{ ...TEST_ACCOUNT, balances: { BTC: '1' }, marginBalances: { USDT: '1000' } }],
      liquidity: { levelNotionals: [] },
    })
    caller.order('SELL', 'LIMIT', '1', '100')
    order(caller, 'BUY', 1, 100)
    expect(caller.trades().json).toMatchObject([{ isSelf: true, isMaker: true, isBuyer: false }])
  })
})
