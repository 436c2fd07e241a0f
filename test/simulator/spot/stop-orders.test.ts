import { describe, expect, it } from 'vitest'
import { type Answer, ExchangeCaller, klinesOf, MINUTE, replayOf, START } from '../exchange-caller.ts'

/** Prints: 100 for a minute, then the path of each further kline, 15 s apart. */
const open = (...paths: readonly (readonly [number, number, number, number])[]) =>
  ExchangeCaller.open(replayOf(klinesOf([100, 100, 100, 100], ...paths)))

function stop(
  caller: ExchangeCaller,
  side: 'BUY' | 'SELL',
  price: number,
  triggerPrice: number,
  volume: string | number = 1,
): Answer {
  return caller.order(side, 'STOP', volume, price, { triggerPrice })
}

describe('a stop order', () => {
  it('waits off the book, reserves its price and shows its trigger', () => {
    const caller = open()
    const placed = stop(caller, 'BUY', 111, 110)
    expect(placed.json).toMatchObject({ status: '0', type: 'STOP', price: '111.00' })
    expect(caller.get('/sapi/v2/openOrders').json).toMatchObject([
      { status: 'NEW', type: 'STOP', stopPrice: 110, isWorking: false, executedQty: '0.00000' },
    ])
    expect(caller.balance('USDT')).toEqual(['9889', '111'])
    expect(caller.get('/sapi/v2/depth?symbol=BTCUSDT').json.asks[0][0]).toBe('100.01')
  })

  it.each([
    ['a buy above the price, when it rises there', 'BUY', 111, 110, [100, 110, 99, 100], '110.01'],
    ['a sell below the price, when it falls there', 'SELL', 89, 90, [100, 101, 90, 95], '89.99'],
    ['a buy below the price, when it falls there', 'BUY', 91, 90, [100, 101, 90, 95], '90.01'],
    ['a sell above the price, when it rises there', 'SELL', 109, 110, [100, 110, 99, 100], '109.99'],
  ] as const)('is triggered: %s', (_fact, side, price, trigger, path, filledAt) => {
    const caller = open(path)
    const placed = stop(caller, side, price, trigger)
    caller.now = START + 2 * MINUTE
    expect(caller.find(placed).json).toMatchObject({ status: 'FILLED', avgPrice: filledAt, type: 'STOP' })
  })

  it('trades at the moment of the print that triggers it', () => {
    const caller = open([100, 110, 99, 105])
    stop(caller, 'BUY', 111, 110)
    caller.now = START + 10 * MINUTE
    // Open, low, high, close: the high is the third print of the second minute.
    expect(caller.trades().json).toMatchObject([{ time: START + MINUTE + 30_000, isMaker: false }])
  })

  it('stays when the price comes within a tick of its trigger', () => {
    const caller = open([100, 109.99, 99, 100])
    const placed = stop(caller, 'BUY', 111, 110)
    caller.now = START + 3 * MINUTE
    expect(caller.find(placed).json.status).toBe('NEW')
  })

  it('rests at its price, and works, when the market is beyond it already', () => {
    const caller = open([100, 110, 99, 108])
    const placed = stop(caller, 'BUY', 105, 110)
    caller.now = START + MINUTE + 30_000
    expect(caller.get('/sapi/v2/openOrders').json).toMatchObject([{ status: 'NEW', isWorking: true }])
    expect(caller.find(placed).json.executedQty).toBe('0.00000')
  })

  it('at the price itself goes to the book at once', () => {
    const caller = open()
    expect(caller.find(stop(caller, 'BUY', 101, 100)).json).toMatchObject({ status: 'FILLED' })
  })

  it('can be canceled while it waits and frees what it reserved', () => {
    const caller = open([100, 120, 90, 100])
    const placed = stop(caller, 'SELL', 109, 110, 2)
    expect(caller.balance('BTC')).toEqual(['8', '2'])
    const fields = { symbol: 'BTC/USDT', orderId: placed.json.orderIdString }
    expect(caller.post('/sapi/v2/cancel', fields).json.status).toBe('CANCELED')
    expect(caller.balance('BTC')).toEqual(['10', '0'])
    caller.now = START + 3 * MINUTE
    expect(caller.trades().json).toEqual([])
  })

  it('without a price trades at the market, as one client sends it', () => {
    const caller = open([100, 101, 90, 95])
    const placed = caller.order('SELL', 'STOP_MARKET', '1', undefined, { triggerPrice: '90' })
    caller.now = START + 2 * MINUTE
    expect(caller.find(placed).json).toMatchObject({ status: 'FILLED', avgPrice: '89.99' })
  })

  it.each([
    [{ type: 'STOP', price: '99' }, -1102],
    [{ type: 'STOP', triggerPrice: '99' }, -1102],
    [{ type: 'STOP', price: '99', triggerPrice: '99.001' }, -1147],
    [{ type: 'LIMIT', price: '99', triggerPrice: '98' }, -1014],
    [{ type: 'MARKET', triggerPrice: '98' }, -1014],
    [{ type: 'LIMIT', price: '99', triggerPrice: 0 }, undefined],
  ])('needs price and trigger, and no other order has a trigger: %j', (fields, code) => {
    const caller = open()
    const order = { symbol: 'BTC/USDT', side: 'SELL', volume: '1', ...fields }
    expect(caller.post('/sapi/v2/order', order).json.code).toBe(code)
  })
})
