import { describe, expect, it, onTestFinished } from 'vitest'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import { startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { type Answer, flatMarket, klinesOf, MINUTE, START, signedHeaders } from '../exchange-caller.ts'
import { FuturesCaller, futuresOf, SECOND } from '../futures/futures-caller.ts'
import { HandClock } from '../hand-clock.ts'
import { send } from '../server/raw-http.ts'

const NAME = { contractName: 'E-BTC-USDT' }
const LATER = 3000

/** The house bids 99.90 and asks 100.10, in lots of 100,000. */
function open(faults: readonly FaultRuleInput[], klines = flatMarket(100, 60)): FuturesCaller {
  return FuturesCaller.open({ ...futuresOf(klines), faults: [...faults], liquidity: { spreadTicks: 10 } })
}

function statusOf(caller: FuturesCaller, placed: Answer): string {
  return caller.find(placed).status
}

function cancel(caller: FuturesCaller, placed: Answer): Answer {
  return caller.post('/fapi/v1/cancel', { ...NAME, orderId: placed.json.orderId })
}

describe('an asynchronous cancel of a contract order', () => {
  const pending = { fault: 'pendingCancel', delayMs: LATER, endpoint: 'futuresCancel' } as const

  it('is taken at once and carried out later, and only then frees what the order froze', () => {
    const caller = open([pending])
    const placed = caller.order('BUY', 'OPEN', 'LIMIT', 10, 90)
    expect([cancel(caller, placed).json, cancel(caller, placed).json]).toEqual([placed.json, placed.json])
    caller.pass(LATER - 1)
    expect(caller.get('/fapi/v1/openOrders').json).toMatchObject([{ status: 'PENDING_CANCEL' }])
    // 90 at 10x, and 0.1% of it.
    expect(caller.wallet().accountLock).toBe(9.09)
    caller.pass(1)
    expect([statusOf(caller, placed), caller.wallet().accountLock]).toEqual(['CANCELLED', 0])
    expect(cancel(caller, placed).json.code).toBe('-1145')
  })

  it('does not keep the order from being filled, whole or in part', () => {
    const caller = open([pending])
    const [whole, part] = [99.99, 99.95].map(price => caller.order('BUY', 'OPEN', 'LIMIT', 10, price))
    if (whole === undefined || part === undefined) throw new Error('unreachable')
    for (const placed of [whole, part]) cancel(caller, placed)
    caller.as(SECOND).order('SELL', 'OPEN', 'LIMIT', 14, 99.95)
    expect([whole, part].map(placed => statusOf(caller, placed))).toEqual(['FILLED', 'PENDING_CANCEL'])
    caller.pass(LATER)
    expect(caller.find(part)).toMatchObject({ status: 'CANCELLED', executedQty: 4 })
    expect(caller.positions()[0].volume).toBe(14)
    expect(caller.wallet().accountLock).toBe(0)
  })

  it('of a condition leaves the condition armed until then', () => {
    const klines = klinesOf([100, 100, 100, 100], [100, 102, 100, 100])
    const caller = open([{ ...pending, delayMs: 2 * MINUTE }], klines)
    const condition = { ...NAME, side: 'BUY', open: 'OPEN', type: 'MARKET', volume: 10, triggerType: '3UP' }
    const [near, far] = [101, 105].map(triggerPrice =>
      caller.post('/fapi/v1/conditionOrder', { ...condition, triggerPrice }),
    )
    if (near === undefined || far === undefined) throw new Error('unreachable')
    for (const placed of [near, far]) cancel(caller, placed)
    expect(statusOf(caller, near)).toBe('PENDING_CANCEL')
    caller.pass(2 * MINUTE)
    expect([near, far].map(placed => statusOf(caller, placed))).toEqual(['FILLED', 'CANCELLED'])
  })

  it('of everything takes every order as long', () => {
    const caller = open([{ ...pending, endpoint: 'futuresCancelAll' }])
    for (const price of [90, 91]) caller.order('BUY', 'OPEN', 'LIMIT', 1, price)
    caller.post('/fapi/v1/cancel_all')
    caller.pass(LATER - 1)
    expect(caller.get('/fapi/v1/openOrders').json).toHaveLength(2)
    caller.pass(1)
    expect(caller.get('/fapi/v1/openOrders').json).toEqual([])
  })

  it('does not slow down a liquidation, nor a call that comes without the fault', () => {
    const klines = klinesOf([100, 100, 100, 100], [80, 80, 80, 80])
    const caller = open([{ ...pending, calls: [1], delayMs: 10 * MINUTE }], klines)
    const [slow, quick] = [50, 51].map(price => caller.order('BUY', 'OPEN', 'LIMIT', 10, price))
    if (slow === undefined || quick === undefined) throw new Error('unreachable')
    caller.order('BUY', 'OPEN', 'MARKET', 900)
    cancel(caller, slow)
    cancel(caller, quick)
    expect(statusOf(caller, quick)).toBe('CANCELLED')
    caller.pass(MINUTE)
    expect([caller.positions(), statusOf(caller, slow)]).toEqual([[], 'CANCELLED'])
  })
})

describe('slow fills of contract orders', () => {
  const slow = { fault: 'slowFills', delayMs: LATER, endpoint: 'futuresNewOrder' } as const

  it('let an order be taken at once, its money frozen, and traded later, at the price of then', () => {
    const caller = open([slow], klinesOf([100, 104, 100, 100]))
    caller.pass(29_000)
    const placed = caller.order('BUY', 'OPEN', 'MARKET', 10)
    expect([statusOf(caller, placed), caller.wallet().accountLock]).toEqual(['NEW', 10.1101])
    caller.pass(LATER - 1)
    expect(statusOf(caller, placed)).toBe('NEW')
    caller.pass(1)
    // Half of the minute is over: 104 and its ask.
    expect(caller.find(placed)).toMatchObject({ status: 'FILLED', avgPrice: 104.1 })
    expect(caller.get('/fapi/v1/myTrades').json[0].time).toBe(START + 32_000)
    expect(caller.wallet().accountLock).toBe(0)
  })

  it('meet the market of their time, even if nobody looked until long after', () => {
    const caller = open([slow], klinesOf([100, 104, 100, 100]))
    const placed = caller.order('BUY', 'OPEN', 'MARKET', 10)
    caller.pass(MINUTE)
    expect(caller.find(placed)).toMatchObject({ status: 'FILLED', avgPrice: 100.1 })
    const resting = caller.order('SELL', 'OPEN', 'LIMIT', 10, 103)
    expect(statusOf(caller, resting)).toBe('NEW')
    const [trade] = caller.get('/fapi/v1/myTrades').json
    expect(trade.time).toBe(START + LATER)
  })

  it('let an order be canceled before it trades, and give back what it froze', () => {
    const caller = open([slow])
    const placed = caller.order('BUY', 'OPEN', 'LIMIT', 10, 101)
    cancel(caller, placed)
    caller.pass(MINUTE)
    expect(caller.find(placed)).toMatchObject({ status: 'CANCELLED', executedQty: 0 })
    expect(caller.wallet()).toMatchObject({ accountNormal: 1000, accountLock: 0 })
  })

  it('count among the orders that close a position, and close what is left of it', () => {
    const caller = open([{ ...slow, from: '+1s' }])
    caller.order('BUY', 'OPEN', 'MARKET', 10)
    caller.pass(1000)
    const placed = caller.order('SELL', 'CLOSE', 'MARKET', 10)
    expect(caller.positions()[0].pendingCloseVolume).toBe(10)
    expect(caller.order('SELL', 'CLOSE', 'MARKET', 1).json.code).toBe('10015')
    caller.pass(LATER)
    expect([statusOf(caller, placed), caller.positions()]).toEqual(['FILLED', []])
  })

  it('reject what cannot be paid any more once it would trade', () => {
    // From 100 to 104 within the delay; margin and fee of 980 contracts are 100.1 × 10.1% each at first.
    const caller = open([slow], klinesOf([100, 104, 100, 100]))
    caller.pass(29_000)
    const placed = caller.order('BUY', 'OPEN', 'MARKET', 980)
    expect([placed.status, caller.wallet().accountLock]).toEqual([200, 990.7898])
    caller.pass(LATER)
    expect(caller.find(placed)).toMatchObject({ status: 'REJECTED', executedQty: 0 })
    expect(caller.wallet()).toMatchObject({ accountNormal: 1000, accountLock: 0 })
  })

  it('arm a condition as late', () => {
    const caller = open([{ ...slow, endpoint: 'futuresConditionOrder' }])
    const fields = { ...NAME, side: 'SELL', open: 'OPEN', type: 'MARKET', volume: 10, triggerType: '4DOWN' }
    const placed = caller.post('/fapi/v1/conditionOrder', { ...fields, triggerPrice: 101 })
    caller.pass(LATER - 1)
    expect(statusOf(caller, placed)).toBe('INIT')
    caller.pass(1)
    expect(statusOf(caller, placed)).toBe('FILLED')
  })
})

describe('a refusal by a fault on the futures host', () => {
  it.each<[FaultRuleInput, number, string]>([
    [{ fault: 'maintenance' }, 503, '-1016'],
    [{ fault: 'serverError', status: 500 }, 500, '-1000'],
    [{ fault: 'tooManyRequests' }, 429, '-1003'],
    [{ fault: 'gatewayTimeout' }, 504, '-1007'],
    [{ fault: 'changedPrecision', symbol: 'E-BTC-USDT', pricePrecision: 1 }, 400, '-1147'],
  ])('like %j comes in its envelope', (rule, status, code) => {
    const caller = open([{ ...rule, endpoint: 'futuresNewOrder' }])
    const answer = caller.order('BUY', 'OPEN', 'LIMIT', 1, 90.55)
    expect([answer.status, answer.json]).toEqual([status, { code, msg: expect.any(String), data: null }])
  })
})

describe('a restart of the futures host over HTTP', () => {
  const order = { ...NAME, side: 'BUY', open: 'OPEN', type: 'LIMIT', volume: 10, price: 90 }
  const condition = { ...order, triggerType: '4DOWN', triggerPrice: '80' }

  async function serve(config: SimulatorConfigInput) {
    const clock = new HandClock(START)
    const exchange = createSimulatedExchange(config)
    const server = await startExchangeServer({ exchange, clock, futuresPort: 0 })
    onTestFinished(() => server.close())
    const call = async (method: string, target: string, fields?: object) => {
      const body = fields === undefined ? '' : JSON.stringify(fields)
      const headers = signedHeaders(TEST_ACCOUNT, { method, target, body, time: clock.time })
      const version = { 'futures-version': '101' }
      return JSON.parse(
        (await send(server.futuresUrl, method, target, { ...headers, ...version }, body)).text,
      )
    }
    return { call, clock }
  }

  it.each([
    [true, [], 0],
    [false, ['INIT', 'NEW'], 9.09],
  ])(
    'that loses orders (%s) leaves %j of them, and positions as they were',
    async (losesOrders, statuses, locked) => {
      const fault = { fault: 'restart', from: '+1m', until: '+2m', losesOrders } as const
      const { call, clock } = await serve({ ...futuresOf(flatMarket(100)), faults: [fault] })
      await call('POST', '/fapi/v1/order', { ...order, type: 'MARKET' })
      await call('POST', '/fapi/v1/order', order)
      await call('POST', '/fapi/v1/conditionOrder', condition)
      const [before] = (await call('GET', '/fapi/v1/account')).account
      clock.moveTo(START + MINUTE)
      await expect(call('GET', '/fapi/v1/openOrders')).rejects.toMatchObject({ code: 'ECONNRESET' })
      clock.moveTo(START + 2 * MINUTE)
      const orders = await call('GET', '/fapi/v1/openOrders')
      expect(orders.map(({ status }: { status: string }) => status)).toEqual(statuses)
      const [after] = (await call('GET', '/fapi/v1/account')).account
      expect([before.accountLock, after.accountLock]).toEqual([9.09, locked])
      expect(after.positionVos).toEqual(before.positionVos)
      expect(after.accountNormal + after.accountLock).toBeCloseTo(
        before.accountNormal + before.accountLock,
        9,
      )
      const { data } = await call('POST', '/fapi/v1/get_user_transaction', {
        ...{ beginTime: START, endTime: clock.time, symbol: 'USDT' },
      })
      expect(data.count).toBe(2)
    },
  )

  it('loses orders that had not met the book yet, and those whose cancel was under way', async () => {
    const faults = [
      { fault: 'slowFills', delayMs: 2 * MINUTE, endpoint: 'futuresNewOrder', most: 1 },
      { fault: 'pendingCancel', delayMs: 2 * MINUTE, endpoint: 'futuresCancel' },
      { fault: 'restart', from: '+1m', until: '+61s', losesOrders: true },
    ] as const
    const { call, clock } = await serve({ ...futuresOf(flatMarket(100)), faults: [...faults] })
    await call('POST', '/fapi/v1/order', { ...order, price: 101 })
    const { orderId } = await call('POST', '/fapi/v1/order', order)
    await call('POST', '/fapi/v1/cancel', { ...NAME, orderId })
    for (const time of [MINUTE, 3 * MINUTE]) clock.moveTo(START + time)
    const history = await call('POST', '/fapi/v1/orderHistorical', NAME)
    expect(history.map(({ status, dealVolume }: Record<string, number>) => [status, dealVolume])).toEqual([
      [4, 0],
      [4, 0],
    ])
    expect((await call('GET', '/fapi/v1/account')).account[0]).toMatchObject({
      ...{ accountNormal: 1000, accountLock: 0, positionVos: [] },
    })
  })
})

describe('the time at which the exchange has to look again', () => {
  it('is that of a cancel or an order that waits, as well as that of the market', () => {
    const caller = open([
      { fault: 'pendingCancel', delayMs: 700, endpoint: 'futuresCancel' },
      { fault: 'slowFills', delayMs: 900, endpoint: 'futuresNewOrder', calls: [2] },
    ])
    const placed = caller.order('BUY', 'OPEN', 'LIMIT', 10, 90)
    expect(caller.exchange.nextPrintAt).toBe(START + 15_000)
    caller.order('BUY', 'OPEN', 'LIMIT', 10, 91)
    expect(caller.exchange.nextPrintAt).toBe(START + 900)
    cancel(caller, placed)
    expect(caller.exchange.nextPrintAt).toBe(START + 700)
  })
})
