import { describe, expect, it } from 'vitest'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import { ExchangeCaller, MINUTE, START } from '../exchange-caller.ts'
import { FaultCaller } from './fault-caller.ts'

const OK = 200

describe('a call that nothing strikes', () => {
  it('is answered without a delivery', () => {
    const { delivery, status } = new FaultCaller([{ fault: 'delay', delayMs: 5, endpoint: 'spotTime' }]).buy(
      '90',
    )
    expect([status, delivery]).toEqual([OK, undefined])
  })
})

describe('a fault before processing', () => {
  it.each([
    ['dropBefore', {}, 200, { reset: 'before' }],
    ['serverError', { status: 502 }, 502, undefined],
    ['tooManyRequests', { retryAfterS: 7 }, 429, undefined],
    ['banned', {}, 418, undefined],
    ['maintenance', {}, 503, undefined],
    ['refused', {}, 400, undefined],
    ['page', {}, 403, undefined],
    ['page', { status: 302 }, 302, undefined],
  ] as const)('of the kind %s places no order', (fault, fields, status, delivery) => {
    const caller = new FaultCaller([{ fault, ...fields, endpoint: 'spotNewOrder' }])
    const answer = caller.buy('90')
    expect([answer.status, answer.delivery]).toEqual([status, delivery])
    expect([caller.openCount, caller.statusOf()]).toEqual([0, -2013])
  })

  it('says when to come back, and that the service is down, in the words of the supplement', () => {
    const caller = new FaultCaller([
      { fault: 'tooManyRequests', retryAfterS: 7, calls: [1] },
      { fault: 'maintenance', calls: [2] },
    ])
    expect(caller.get('/sapi/v2/ping').headers).toEqual({ 'retry-after': '7' })
    expect(JSON.parse(caller.get('/sapi/v2/ping').body).code).toBe(-1016)
  })
})

describe('a refusal', () => {
  it('has the code that the rule names, and by default that of too many orders', () => {
    const caller = new FaultCaller([
      { fault: 'refused', endpoint: 'spotNewOrder', calls: [1] },
      { fault: 'refused', endpoint: 'spotNewOrder', calls: [2], code: -2016 },
    ])
    expect([caller.buy('90'), caller.buy('90')].map(({ body }) => JSON.parse(body).code)).toEqual([
      -1015, -2016,
    ])
    expect(caller.buy('90').status).toBe(200)
  })
})

describe('a fault after processing', () => {
  it.each<[FaultRuleInput, number, object | undefined]>([
    [{ fault: 'dropAfter' }, 200, { reset: 'after' }],
    [{ fault: 'gatewayTimeout' }, 504, undefined],
    [{ fault: 'cutAnswer', afterBytes: 10 }, 200, { truncateAt: 10 }],
    [{ fault: 'delay', delayMs: 1500 }, 200, { delayMs: 1500 }],
  ])('like %j leaves the order placed', (rule, status, delivery) => {
    const caller = new FaultCaller([{ ...rule, endpoint: 'spotNewOrder' }])
    const answer = caller.buy('90')
    expect([answer.status, answer.delivery]).toEqual([status, delivery])
    expect([caller.openCount, caller.statusOf()]).toEqual([1, 'NEW'])
  })

  it('that truncates JSON leaves a whole answer that is no JSON', () => {
    const caller = new FaultCaller([{ fault: 'truncatedJson', endpoint: 'spotNewOrder' }])
    const { body, delivery } = caller.buy('90')
    expect([delivery, caller.openCount]).toEqual([undefined, 1])
    expect(() => JSON.parse(body)).toThrow(SyntaxError)
  })

  it('that delays with a jitter stays within it', () => {
    const caller = new FaultCaller([{ fault: 'delay', delayMs: 100, jitterMs: 50 }])
    const delays = Array.from({ length: 50 }, () => caller.get('/sapi/v2/ping').delivery?.delayMs ?? 0)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(100)
    expect(Math.max(...delays)).toBeLessThanOrEqual(150)
    expect(new Set(delays).size).toBeGreaterThan(10)
  })
})

describe('odd prices', () => {
  const TICKER = '/sapi/v2/ticker?symbol=BTC/USDT'
  const odd = (rule: object, target = TICKER) =>
    JSON.parse(new FaultCaller([{ fault: 'oddPrices', as: 'zero', ...rule }]).get(target).body)

  it.each([
    ['zero', 0, 0, 0],
    ['negative', -100, -99.9, -100.1],
    ['far', 10, 9.99, 10.01],
    ['crossed', 100, 109.89, 90.09],
  ])('that are %s change the last, the bid and the ask', (as, last, bid, ask) => {
    const { last: seen, bidPrice, askPrice } = odd({ as })
    expect([seen, bidPrice, askPrice].map(Number)).toEqual([last, bid, ask])
  })

  it('are in klines, depth and trades as well, and by any factor', () => {
    const klines = odd({ as: 'far', factor: 3 }, '/sapi/v2/klines?symbol=BTC/USDT&interval=1min')
    expect(Number(klines[0].close)).toBe(300)
    const { bids } = odd({ as: 'negative' }, '/sapi/v2/depth?symbol=BTC/USDT')
    expect(bids.length).toBeGreaterThan(1)
    expect(bids.every(([price]: readonly string[]) => Number(price) < 0)).toBe(true)
  })

  it('leave orders as they are', () => {
    const caller = new FaultCaller([{ fault: 'oddPrices', as: 'zero' }])
    caller.buy('90')
    const order = JSON.parse(caller.get('/sapi/v2/order?symbol=BTC/USDT&newClientorderId=a').body)
    expect(Number(order.price)).toBe(90)
  })
})

describe('a late arrival', () => {
  const late = (delayMs: number) => {
    const caller = new FaultCaller([{ fault: 'lateArrival', delayMs, endpoint: 'spotNewOrder' }])
    const body = JSON.stringify({ symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', volume: '1', price: '90' })
    const first = caller.send('POST', '/sapi/v2/order', body, START)
    const before = caller.openCount
    caller.now = START + delayMs
    return { first, before, second: caller.send('POST', '/sapi/v2/order', body, START, true), caller }
  }

  it('is processed when it arrives, and not struck again', () => {
    const { first, before, second, caller } = late(900)
    expect([first.delivery, before]).toEqual([{ arriveAfterMs: 900 }, 0])
    expect([second.delivery, caller.openCount]).toEqual([undefined, 1])
  })

  it('behind its recvWindow is refused', () => {
    const { second, caller } = late(1001)
    expect([JSON.parse(second.body).code, caller.openCount]).toEqual([-1021, 0])
  })
})

describe('a stale read', () => {
  const stale = { fault: 'staleRead', lagMs: 5000, endpoint: 'spotOrder' } as const

  it('does not know an order younger than its lag, and shows an older state of others', () => {
    const caller = new FaultCaller([stale])
    caller.buy('90')
    expect(caller.statusOf()).toBe(-2013)
    caller.now += 5000
    expect(caller.statusOf()).toBe('NEW')
    caller.cancel()
    expect(caller.statusOf()).toBe('NEW')
    caller.now += 4999
    expect(caller.statusOf()).toBe('NEW')
    caller.now += 1
    expect(caller.statusOf()).toBe('CANCELED')
  })

  it('can be set while the exchange runs, about a past nobody had asked for', () => {
    const caller = new FaultCaller([])
    caller.buy('90')
    caller.now += 2000
    caller.exchange.stage({ type: 'setFault', time: caller.now, rule: stale })
    expect(caller.statusOf()).toBe(-2013)
    caller.now += 3000
    expect(caller.statusOf()).toBe('NEW')
    caller.exchange.stage({ type: 'liftFault', time: caller.now })
    caller.cancel()
    expect(caller.statusOf()).toBe('CANCELED')
  })

  it('shows nothing to whoever cannot sign', () => {
    const caller = new FaultCaller([stale])
    caller.buy('90')
    caller.now += MINUTE
    const target = '/sapi/v2/order?symbol=BTC/USDT&newClientorderId=a'
    expect(JSON.parse(caller.get(target, caller.now - MINUTE).body).code).toBe(-1021)
  })
})

describe('a stale read of a price shock', () => {
  it('tells of it at the time it happened', () => {
    const caller = new FaultCaller([{ fault: 'staleRead', lagMs: 5000, endpoint: 'spotKlines' }])
    caller.get('/sapi/v2/ping')
    caller.now += MINUTE + 10_000
    caller.exchange.stage({ type: 'shock', time: caller.now, symbol: 'BTC/USDT', price: '80' })
    caller.now += 2 * MINUTE
    const klines = JSON.parse(caller.get('/sapi/v2/klines?symbol=BTC/USDT&interval=1min').body)
    expect(klines.map(({ high, low }: { high: string; low: string }) => [high, low])).toEqual([
      ['80.00', '80.00'],
      ['80.00', '80.00'],
      ['100.00', '80.00'],
      ['100.00', '100.00'],
    ])
  })
})

describe('an asynchronous cancel', () => {
  const pending = { fault: 'pendingCancel', delayMs: 3000, endpoint: 'spotCancel' } as const

  it('is taken at once and carried out later', () => {
    const caller = new FaultCaller([pending])
    caller.buy('90')
    expect(JSON.parse(caller.cancel().body).status).toBe('PENDING_CANCEL')
    caller.now += 2999
    expect([caller.statusOf(), caller.openCount]).toEqual(['PENDING_CANCEL', 1])
    caller.now += 1
    expect([caller.statusOf(), caller.openCount]).toEqual(['CANCELED', 0])
  })

  it('does not keep the order from being filled', () => {
    const caller = new FaultCaller([pending])
    caller.buy('99.95')
    caller.cancel()
    caller.exchange.stage({ type: 'shock', time: caller.now, symbol: 'BTC/USDT', price: '95' })
    expect(caller.statusOf()).toBe('FILLED')
    caller.now += 3000
    expect(caller.statusOf()).toBe('FILLED')
  })
})

describe('an order whose cancel is under way', () => {
  it('is still under way after a part of it has traded', () => {
    const caller = new FaultCaller([{ fault: 'pendingCancel', delayMs: 3000, endpoint: 'spotCancel' }])
    caller.buy('99.95')
    caller.cancel()
    const other = new ExchangeCaller(caller.exchange).second()
    other.order('SELL', 'LIMIT', '0.4', '99.95')
    expect(caller.statusOf()).toBe('PENDING_CANCEL')
    caller.now += 3000
    const { executedQty } = JSON.parse(caller.get('/sapi/v2/order?symbol=BTC/USDT&newClientorderId=a').body)
    expect([caller.statusOf(), executedQty]).toEqual(['CANCELED', '0.40000'])
  })
})

describe('slow fills', () => {
  it('let an order be taken at once and traded later, at the price of then', () => {
    const caller = new FaultCaller([{ fault: 'slowFills', delayMs: 2000, endpoint: 'spotNewOrder' }])
    caller.buy('101')
    expect(caller.statusOf()).toBe('NEW')
    caller.now += 1999
    expect(caller.statusOf()).toBe('NEW')
    caller.now += 1
    expect(caller.statusOf()).toBe('FILLED')
    const [trade] = JSON.parse(caller.get('/sapi/v2/myTrades?symbol=BTC/USDT').body)
    expect([trade.price, trade.time]).toEqual(['100.10', START + 2000])
  })

  it('let an order be canceled before it trades, and give back what it reserved', () => {
    const caller = new FaultCaller([{ fault: 'slowFills', delayMs: 2000, endpoint: 'spotNewOrder' }])
    caller.buy('101')
    caller.cancel()
    caller.now += MINUTE
    expect(caller.statusOf()).toBe('CANCELED')
    expect(caller.exchange.state.users[0]?.account.holding('USDT').locked).toBe(0n)
  })
})

describe('a clock skew', () => {
  it('moves the time the exchange tells and checks by, and nothing else', () => {
    const caller = new FaultCaller([{ fault: 'clockSkew', skewMs: -7000 }])
    expect(JSON.parse(caller.get('/sapi/v2/time').body).serverTime).toBe(START - 7000)
    expect(JSON.parse(caller.get('/sapi/v1/account').body).code).toBe(-1021)
    expect(caller.get('/sapi/v1/account', START - 7000).status).toBe(OK)
    expect(caller.exchange.state.now).toBe(START)
  })
})

describe('a changed precision', () => {
  const rule = { fault: 'changedPrecision', symbol: 'BTC/USDT', pricePrecision: 1, from: '+10s' } as const

  it('is shown and enforced from its moment on', () => {
    const caller = new FaultCaller([rule])
    const shown = () => JSON.parse(caller.get('/sapi/v2/symbols').body).symbols[0].pricePrecision
    expect([shown(), caller.buy('90.55').status]).toEqual([2, OK])
    caller.now += 10_000
    expect([shown(), caller.buy('90.5').status]).toEqual([1, OK])
    const refused = caller.buy('90.55')
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([400, -1147])
  })

  it('leaves other symbols, trailing zeros and the money of a market buy alone', () => {
    const rules = [
      { ...rule, symbol: 'E-BTC-USDT' },
      { fault: 'changedPrecision', symbol: 'btcusdt', quantityPrecision: 0 } as const,
    ]
    const caller = new FaultCaller(rules)
    caller.now += MINUTE
    const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'MARKET', volume: '20.55' }
    expect(caller.post('/sapi/v2/order', order).status).toBe(OK)
    expect(caller.buy('90.50').status).toBe(OK)
    expect(
      caller.post('/sapi/v2/order', { ...order, type: 'LIMIT', volume: '1.000', price: 90 }).status,
    ).toBe(OK)
    expect(caller.post('/sapi/v2/order', { ...order, type: 'LIMIT', volume: '1.5', price: 90 }).status).toBe(
      400,
    )
  })
})

describe('a restart', () => {
  it('loses orders at once, however slow cancels were before it', () => {
    const caller = new FaultCaller([
      { fault: 'pendingCancel', delayMs: 10 * MINUTE, endpoint: 'spotCancel' },
      { fault: 'restart', from: '+1m', until: '+61s', losesOrders: true },
    ])
    caller.buy('90', 'a')
    caller.buy('91', 'b')
    caller.cancel('a')
    caller.now += 2 * MINUTE
    expect([caller.statusOf('a'), caller.statusOf('b'), caller.openCount]).toEqual([
      ...['CANCELED', 'CANCELED', 0],
    ])
  })

  it.each([
    [true, 'CANCELED', 0],
    [false, 'NEW', 1],
  ])(
    'resets every connection while it lasts, and with losesOrders: %s leaves orders %s',
    (losesOrders, status, open) => {
      const caller = new FaultCaller([{ fault: 'restart', from: '+1m', until: '+2m', losesOrders }])
      caller.buy('90')
      caller.now += MINUTE - 1
      expect(caller.statusOf()).toBe('NEW')
      caller.now += 1
      expect(caller.get('/sapi/v2/ping').delivery).toEqual({ reset: 'before' })
      expect(caller.openCount).toBe(open)
      caller.now += MINUTE
      expect(caller.statusOf()).toBe(status)
    },
  )
})
