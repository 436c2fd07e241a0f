import { expect, test } from 'vitest'
import type { SessionRow } from '../../../src/matching/session-row.ts'
import type { ToldLevel } from '../../../src/matching/told-market.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { ExchangeCaller, START } from '../exchange-caller.ts'

/** An exchange of one pair that is observed; no round trip is measured, so latencies are 250 ms. */
function observed() {
  const caller = ExchangeCaller.open({
    listings: [{ symbol: 'BTC/USDT', market: { type: 'live' } }],
    accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '10000', BTC: '10' } }],
  })
  const rows: SessionRow[] = []
  caller.exchange.onSessionRow(row => rows.push(row))
  const pass = (ms: number) => {
    caller.now = START + ms
  }
  const observe = (observation: object) =>
    caller.exchange.observe({ symbol: 'BTC/USDT', ...observation } as never, caller.now)
  return {
    caller,
    rows,
    pass,
    /** The host shows a book. */
    book: (ms: number, bids: readonly ToldLevel[], asks: readonly ToldLevel[]) => {
      pass(ms)
      observe({ kind: 'book', book: { time: caller.now, bids, asks, levels: 20 } })
    },
    trade: (ms: number, id: string, side: 'buy' | 'sell', price: string, quantity: string) => {
      pass(ms)
      observe({ kind: 'trades', trades: [{ id, time: caller.now, price, quantity, side }] })
    },
    tell: (ms: number, observation: object) => {
      pass(ms)
      observe(observation)
    },
  }
}

/** The last 24 hours as a host reports them. */
const DAY = {
  time: START,
  open: '90',
  high: '120',
  low: '80',
  last: '99.5',
  volume: '1000',
  amount: '99000',
}

test('a taker is new until the host shows a book, and pays what that shows', () => {
  const { caller, pass, book } = observed()
  book(0, [['99', '5']], [['100', '5']])
  pass(10)
  const order = caller.order('BUY', 'IOC', '3', '105')
  expect(caller.find(order).json.status).toBe('NEW')
  book(259, [['99', '5']], [['100', '5']]) // it arrives at 10 + 250
  expect(caller.find(order).json.status).toBe('NEW')
  book(
    1000,
    [['100', '5']],
    [
      ['101', '2'],
      ['102', '5'],
    ],
  )
  expect(caller.find(order).json).toMatchObject({ status: 'FILLED', executedQty: '3.00000' })
  // 2 × 101 + 1 × 102 = 304; the fee of 0.1% is taken from the 3 BTC.
  expect(caller.balance('USDT')).toEqual(['9696', '0'])
  expect(caller.balance('BTC')).toEqual(['12.997', '0'])
  expect(caller.trades().json).toMatchObject([
    { price: '102.00', qty: '1.00000', isMaker: false, time: START + 1000 },
    { price: '101.00', qty: '2.00000', isMaker: false },
  ])
})

test('a maker waits behind what was shown, and each fill names its evidence', () => {
  const { caller, rows, book, trade } = observed()
  const order = caller.order('BUY', 'LIMIT', '2', '99')
  book(1000, [['99', '5']], [['100', '5']])
  trade(1500, 'seven', 'sell', '99', '6')
  expect(caller.find(order).json).toMatchObject({ status: 'PARTIALLY_FILLED', executedQty: '1.00000' })
  trade(1600, 'eight', 'sell', '98', '6')
  expect(caller.find(order).json.status).toBe('FILLED')
  expect(rows.map(({ type }) => type)).toEqual(['order', 'fill', 'fill'])
  expect(rows[0]).toMatchObject({ side: 'buy', limit: '99.00', quantity: '2.00000', arrivesAt: START + 250 })
  expect(rows[1]).toMatchObject({
    at: START + 1500,
    price: '99.00',
    quantity: '1.00000',
    evidence: {
      rule: 'queued',
      tradeIds: ['seven'],
      snapshot: START + 1000,
      queueBefore: 500_000,
      queueAfter: 0,
    },
  })
  expect(rows[2]).toMatchObject({ evidence: { rule: 'tradedThrough', tradeIds: ['eight'] } })
})

test('a cancel is pending until it is known at the market, and frees what is left', () => {
  const { caller, pass, book, trade } = observed()
  const order = caller.order('BUY', 'LIMIT', '2', '99')
  book(1000, [['99', '0.5']], [['100', '5']])
  pass(1100)
  const { orderIdString: orderId } = order.json
  caller.post('/sapi/v2/cancel', { symbol: 'BTC/USDT', orderId })
  expect(caller.find(order).json.status).toBe('PENDING_CANCEL')
  trade(1300, 'a', 'sell', '99', '1') // before 1100 + 250
  book(2000, [['99', '0.5']], [['100', '5']])
  expect(caller.find(order).json).toMatchObject({ status: 'CANCELED', executedQty: '0.50000' })
  expect(caller.balance('USDT')).toEqual(['9950.5', '0'])
})

test('a stop waits for a trade, and takes from the first book after it', () => {
  const { caller, book, trade } = observed()
  trade(10, 'a', 'buy', '100', '1')
  const order = caller.order('SELL', 'STOP', '1', '90', { triggerPrice: '95' })
  book(1000, [['99', '5']], [['100', '5']])
  trade(1500, 'b', 'sell', '94.5', '1')
  book(2000, [['94', '5']], [['100', '5']])
  expect(caller.find(order).json).toMatchObject({ status: 'FILLED', avgPrice: '94' })
})

test('readers of the exchange see the book and the day of the host', () => {
  const { caller, book, tell } = observed()
  book(
    0,
    [
      ['99', '5'],
      ['98', '1'],
    ],
    [['100', '4']],
  )
  tell(10, { kind: 'day', day: DAY })
  expect(caller.get('/sapi/v2/depth?symbol=BTC/USDT').json).toMatchObject({
    bids: [
      ['99.00', '5.00000'],
      ['98.00', '1.00000'],
    ],
    asks: [['100.00', '4.00000']],
  })
  expect(caller.get('/sapi/v2/ticker?symbol=BTC/USDT').json).toMatchObject({
    bidPrice: '99.00',
    askPrice: '100.00',
    last: '99.50',
    high: '120.00',
    low: '80.00',
    vol: '1000.00000',
  })
})

test('the last price is that of the latest trade, though the day was told before it', () => {
  const { caller, tell, trade } = observed()
  tell(10, { kind: 'day', day: DAY })
  trade(500, 'a', 'buy', '101', '1')
  expect(caller.get('/sapi/v2/ticker?symbol=BTC/USDT').json.last).toBe('101.00')
})

test('a pair that the host halts takes no orders; what rests there waits', () => {
  const { caller, book, tell } = observed()
  book(0, [['99', '5']], [['100', '4']])
  const resting = caller.order('BUY', 'LIMIT', '2', '99')
  book(1000, [['99', '5']], [['100', '4']])
  tell(1100, { kind: 'rules', rules: { isTrading: false, pricePrecision: 2, quantityPrecision: 5 } })
  expect(caller.order('BUY', 'LIMIT', '2', '99').json.code).toBe(-2016)
  expect(caller.get('/sapi/v2/symbols').json.symbols).toEqual([])
  expect(caller.find(resting).json.status).toBe('NEW')
})

test('rules that change in the middle hold for later orders; another grid ends the orders', () => {
  const { caller, book, tell } = observed()
  book(0, [['99', '5']], [['100', '4']])
  const resting = caller.order('BUY', 'LIMIT', '2', '99')
  book(1000, [['99', '5']], [['100', '4']])
  const rules = {
    isTrading: true,
    pricePrecision: 2,
    quantityPrecision: 5,
    minNotional: '500',
    takerFeeRate: '0.01',
  }
  tell(1100, { kind: 'rules', rules })
  expect(caller.get('/sapi/v2/symbols').json.symbols).toMatchObject([
    { limitAmountMin: '500', feeRateTaker: '0.01' },
  ])
  expect(caller.order('BUY', 'LIMIT', '2', '99').status).toBe(400)
  tell(1200, { kind: 'rules', rules: { ...rules, pricePrecision: 1 } })
  expect(caller.find(resting).json.status).toBe('CANCELED')
  expect(caller.balance('USDT')).toEqual(['10000', '0'])
  expect(caller.get('/sapi/v2/symbols').json.symbols).toMatchObject([{ pricePrecision: 1 }])
})
