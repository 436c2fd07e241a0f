import fc from 'fast-check'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import type { SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { signedHeaders } from '../exchange-caller.ts'

const FAULTS: readonly FaultRuleInput[] = [
  { fault: 'dropAfter', probability: 0.3 },
  { fault: 'serverError', probability: 0.3 },
  { fault: 'pendingCancel', delayMs: 20_000, endpoint: 'spotCancel' },
  { fault: 'slowFills', delayMs: 25_000, endpoint: 'spotNewOrder' },
  { fault: 'staleRead', lagMs: 10_000, endpoint: 'GET /sapi/*' },
  { fault: 'delay', delayMs: 10, jitterMs: 1000 },
  { fault: 'restart', from: '+10s', until: '+20s', losesOrders: true },
]

const user = fc.nat({ max: 1 })
const orders = fc.record({
  type: fc.constant('order' as const),
  user,
  side: fc.constantFrom('BUY', 'SELL'),
  kind: fc.constantFrom('LIMIT', 'LIMIT', 'IOC', 'POST_ONLY'),
  cents: fc.integer({ min: 9_900, max: 10_100 }),
  volume: fc.integer({ min: 1, max: 30 }),
  clientId: fc.nat({ max: 5 }),
})
const contracts = fc.record({
  type: fc.constant('contract' as const),
  user,
  side: fc.constantFrom('BUY', 'SELL'),
  open: fc.constantFrom('OPEN', 'CLOSE'),
  volume: fc.integer({ min: 1, max: 400 }),
})
const cancels = fc.record({ type: fc.constant('cancel' as const), user, clientId: fc.nat({ max: 5 }) })
const reads = fc.record({
  type: fc.constant('read' as const),
  user,
  target: fc.constantFrom(
    '/sapi/v2/openOrders?symbol=BTC/USDT',
    '/sapi/v2/myTrades?symbol=BTC/USDT',
    '/sapi/v1/account',
    '/sapi/v2/depth?symbol=btcusdt',
    '/sapi/v2/klines?symbol=btcusdt&interval=1min',
    '/fapi/v1/account',
  ),
})
const waits = fc.record({ type: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 40_000 }) })
const stagings = fc.oneof(
  fc.record({ type: fc.constant('fault' as const), rule: fc.constantFrom(...FAULTS) }),
  fc.record({ type: fc.constant('lift' as const) }),
  fc.record({ type: fc.constant('shock' as const), cents: fc.integer({ min: 9_000, max: 11_000 }) }),
  fc.record({ type: fc.constant('deposit' as const), amount: fc.integer({ min: 1, max: 1000 }) }),
)

/** Something a client, the market or a stage hand does. */
export const anyDeed = fc.oneof(
  { arbitrary: orders, weight: 8 },
  { arbitrary: contracts, weight: 3 },
  { arbitrary: cancels, weight: 3 },
  { arbitrary: reads, weight: 3 },
  { arbitrary: waits, weight: 3 },
  { arbitrary: stagings, weight: 2 },
)

/** One of them. */
export type Deed = typeof anyDeed extends fc.Arbitrary<infer Value> ? Value : never

const USERS = [TEST_ACCOUNT, { apiKey: 'second-key', apiSecret: 'second-secret' }] as const

/** Does a deed at a time; returns the whole of the answer and the time after it. */
export function does(exchange: SimulatedExchange, deed: Deed, now: number): readonly [unknown, number] {
  const call = (who: number, method: string, target: string, fields?: object) => {
    const body = fields === undefined ? '' : JSON.stringify(fields)
    const headers = signedHeaders(USERS[who] ?? TEST_ACCOUNT, { method, target, body, time: now })
    return exchange.handle({ method, target, headers: { ...headers, 'futures-version': '101' }, body }, now)
  }
  switch (deed.type) {
    case 'order': {
      const { side, kind, cents, volume, clientId } = deed
      const fields = { symbol: 'BTC/USDT', side, type: kind, price: cents / 100, volume: volume / 10 }
      return [call(deed.user, 'POST', '/sapi/v2/order', { ...fields, newClientOrderId: `c${clientId}` }), now]
    }
    case 'contract': {
      const { side, open, volume } = deed
      const fields = { contractName: 'E-BTC-USDT', side, open, volume, type: 'MARKET', positionType: 1 }
      return [call(deed.user, 'POST', '/fapi/v1/order', fields), now]
    }
    case 'cancel': {
      const fields = { symbol: 'BTC/USDT', newClientOrderId: `c${deed.clientId}` }
      return [call(deed.user, 'POST', '/sapi/v2/cancel', fields), now]
    }
    case 'read':
      return [call(deed.user, 'GET', deed.target), now]
    case 'wait':
      exchange.advance(now + deed.ms)
      return [undefined, now + deed.ms]
    case 'fault':
      return [exchange.stage({ type: 'setFault', time: now, rule: deed.rule }), now]
    case 'lift':
      return [exchange.stage({ type: 'liftFault', time: now }), now]
    case 'shock':
      return [
        exchange.stage({ type: 'shock', time: now, symbol: 'BTC/USDT', price: String(deed.cents / 100) }),
        now,
      ]
    case 'deposit': {
      const [asset, amount] = ['USDT', String(deed.amount)]
      return [exchange.stage({ type: 'deposit', time: now, uid: 10_001, asset, amount, wallet: 'spot' }), now]
    }
  }
}
