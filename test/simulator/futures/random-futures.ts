import fc from 'fast-check'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import type { ContractSlot } from '../../../src/simulator/futures/contract-slot.ts'
import { FUTURES_ORDER_TYPES } from '../../../src/simulator/futures/orders/futures-order-draft.ts'
import type { SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { type Answer, MINUTE } from '../exchange-caller.ts'
import { FuturesCaller, SECOND, THIRD } from './futures-caller.ts'
import { futuresExchangeOn, OPENING } from './random-futures-exchange.ts'

const HOUR = 60 * MINUTE
const CONTRACTS = ['E-BTC-USDT', 'S-BTC-USDT', 'E-ETH-USDT'] as const
const USERS = [TEST_ACCOUNT, SECOND, THIRD] as const

const FAULTS: readonly FaultRuleInput[] = [
  { fault: 'slowFills', delayMs: 20_000, endpoint: 'POST /fapi/*', probability: 0.4, most: 6 },
  { fault: 'pendingCancel', delayMs: 25_000, endpoint: 'POST /fapi/*', probability: 0.7, most: 6 },
  { fault: 'restart', from: '+20s', until: '+21s', losesOrders: true },
]

const user = fc.nat({ max: 2 })
const contract = fc.constantFrom(0, 0, 1, 2)
const side = fc.constantFrom('BUY' as const, 'SELL' as const)
const placing = fc.record({
  what: fc.constant('order' as const),
  user,
  contract,
  side,
  open: fc.constantFrom('OPEN' as const, 'OPEN' as const, 'CLOSE' as const),
  type: fc.constantFrom(...FUTURES_ORDER_TYPES, 'LIMIT' as const, 'LIMIT' as const, 'MARKET' as const),
  trigger: fc.constantFrom(undefined, undefined, undefined, undefined, '3UP' as const, '4DOWN' as const),
  positionType: fc.constantFrom(1, 2, 2, undefined, undefined, undefined),
  /** Ticks from the mark price, and contracts. */
  offset: fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -490, max: 490 })),
  volume: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 60, max: 400 })),
})
/** Another user bids or asks far off, and the user closes all it has into that. */
const squeezing = fc.record({ what: fc.constant('squeeze' as const), user, contract, side })
const canceling = fc.record({ what: fc.constant('cancel' as const), user, index: fc.nat({ max: 1 }) })
const cancelingAll = fc.record({ what: fc.constant('cancelAll' as const), user })
const setting = fc.record({
  what: fc.constant('set' as const),
  user,
  contract,
  change: fc.constantFrom(
    ['edit_lever', { nowLevel: 3 }] as const,
    ['edit_lever', { nowLevel: 50 }] as const,
    ['edit_lever', { nowLevel: 50 }] as const,
    ['edit_user_position_model', { positionModel: 1 }] as const,
    ['edit_user_position_model', { positionModel: 2 }] as const,
    ['edit_user_margin_model', { marginModel: 1 }] as const,
    ['edit_user_margin_model', { marginModel: 2 }] as const,
  ),
})
const margin = fc.record({
  what: fc.constant('margin' as const),
  user,
  index: fc.nat({ max: 2 }),
  amount: fc.integer({ min: -60, max: 60 }),
})
const transfer = fc.record({
  what: fc.constant('transfer' as const),
  user,
  isIn: fc.boolean(),
  amount: fc.integer({ min: 1, max: 900 }),
})
const passing = fc.record({
  what: fc.constant('pass' as const),
  ms: fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 90_000 }), weight: 9 },
    { arbitrary: fc.integer({ min: HOUR, max: 9 * HOUR }), weight: 1 },
  ),
})
const jump = fc.record({
  what: fc.constant('jump' as const),
  symbol: fc.constantFrom('BTC/USDT', 'E-ETH-USDT'),
  /** Per mille. */
  change: fc.oneof(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -600, max: 800 })),
})
const reading = fc.record({
  what: fc.constant('read' as const),
  user,
  target: fc.constantFrom(
    '/fapi/v1/account',
    '/fapi/v1/openOrders',
    '/fapi/v1/myTrades?contractName=E-BTC-USDT',
    '/fapi/v1/myTrades?contractName=E-ETH-USDT&limit=9',
    '/fapi/v1/order?contractName=S-BTC-USDT',
    '/fapi/v1/depth?contractName=E-ETH-USDT',
    '/pub/contracts',
  ),
})
const disturbance = fc.record({ what: fc.constant('fault' as const), rule: fc.constantFrom(...FAULTS) })

/** Something a user does, or that happens to all of them. */
export const futuresDeed = fc.oneof(
  { arbitrary: placing, weight: 20 },
  { arbitrary: squeezing, weight: 3 },
  { arbitrary: canceling, weight: 3 },
  { arbitrary: cancelingAll, weight: 1 },
  { arbitrary: passing, weight: 6 },
  { arbitrary: setting, weight: 3 },
  { arbitrary: margin, weight: 2 },
  { arbitrary: transfer, weight: 2 },
  { arbitrary: jump, weight: 2 },
  { arbitrary: disturbance, weight: 1 },
  { arbitrary: reading, weight: 2 },
)
export type FuturesDeed = typeof futuresDeed extends fc.Arbitrary<infer Value> ? Value : never

/** Users at work on an exchange. */
export interface FuturesFlow {
  readonly exchange: SimulatedExchange
  readonly callers: readonly FuturesCaller[]
  /** How many calls were answered with success, by what they were. */
  readonly done: Record<string, number>
}

/** Opens the exchange of a market. */
export function openFlow(cents: readonly number[]): FuturesFlow {
  const exchange = futuresExchangeOn(cents)
  const callers = USERS.map(keys => new FuturesCaller(exchange, keys))
  for (const caller of callers) caller.now = OPENING
  return { exchange, callers, done: {} }
}

/** Carries a deed out through the interface, or as whoever stages a rehearsal does; returns what was answered. */
export function carryOut(flow: FuturesFlow, deed: FuturesDeed): string {
  const { exchange, callers, done } = flow
  const time = callers[0]?.now ?? OPENING
  switch (deed.what) {
    case 'pass':
      for (const caller of callers) caller.now += deed.ms
      exchange.advance(time + deed.ms)
      return ''
    case 'jump': {
      const price = jumped(exchange, deed.symbol, deed.change)
      return exchange.stage({ type: 'shock', time, symbol: deed.symbol, price }).body
    }
    case 'fault':
      return exchange.stage({ type: 'setFault', time, rule: deed.rule }).body
    case 'squeeze': {
      const { user, contract, side } = deed
      const order = {
        what: 'order',
        contract,
        type: 'LIMIT',
        trigger: undefined,
        positionType: undefined,
      } as const
      const offset = side === 'SELL' ? -490 : 490
      const counter = side === 'SELL' ? 'BUY' : 'SELL'
      carryOut(flow, { ...order, user: (user + 1) % 3, side: counter, open: 'OPEN', offset, volume: 150 })
      return carryOut(flow, { ...order, user, side, open: 'CLOSE', type: 'MARKET', offset, volume: 2 })
    }
    default: {
      const caller = callers[deed.user] as FuturesCaller // one for every user
      const { status, text } = send(exchange, caller, deed)
      if (status === 200) done[deed.what] = (done[deed.what] ?? 0) + 1
      return text
    }
  }
}

function jumped({ state, futures }: SimulatedExchange, symbol: string, change: number): string {
  const isPair = symbol.includes('/')
  const before = isPair ? (state.markets[0]?.reference ?? 0) : futures.contractOf(symbol).mark
  // Far enough from 0 that the house's quotes keep their room.
  const ticks = Math.max(1000, Math.round((Math.max(before, 1000) * (1000 + change)) / 1000))
  return (ticks / 100).toFixed(2)
}

/** Half of the time all that is held the other way, else some of it; where nothing is, the exchange has to refuse. */
function closedBy({ side, volume }: { side: string; volume: number }, { long, short }: ContractSlot): number {
  const held = (side === 'SELL' ? long : short)?.volume ?? 0
  return held === 0 || volume % 2 === 0 ? Math.max(held, 1) : 1 + (volume % held)
}

type Call = Exclude<FuturesDeed, { what: 'pass' | 'jump' | 'fault' | 'squeeze' }>

function send({ futures }: SimulatedExchange, caller: FuturesCaller, deed: Call): Answer {
  const account = futures.accounts[deed.user]
  if (account === undefined) throw new Error('unreachable')
  switch (deed.what) {
    case 'order': {
      const { trigger, offset, what: _what, user: _user, contract: index, ...fields } = deed
      const contractName = CONTRACTS[index] ?? ''
      const { mark, contract } = futures.contractOf(contractName)
      const price = (Math.max(1, mark + offset) / 100).toFixed(2)
      const volume = deed.open === 'OPEN' ? deed.volume : closedBy(deed, account.slot(contract))
      const order = { contractName, ...fields, volume, ...(deed.type !== 'MARKET' && { price }) }
      if (trigger === undefined) return caller.post('/fapi/v1/order', order)
      return caller.post('/fapi/v1/conditionOrder', { ...order, triggerType: trigger, triggerPrice: price })
    }
    case 'cancel': {
      const order = account.records.openOrders[deed.index] ?? account.records.orders[deed.index]
      const contractName = order?.contract.name ?? CONTRACTS[0]
      return caller.post('/fapi/v1/cancel', { contractName, orderId: String(order?.id ?? 1) })
    }
    case 'read':
      return caller.get(deed.target)
    case 'cancelAll':
      return caller.post('/fapi/v1/cancel_all')
    case 'set': {
      const [path, fields] = deed.change
      return caller.post(`/fapi/v1/${path}`, { contractName: CONTRACTS[deed.contract], ...fields })
    }
    case 'margin': {
      const own = account.positions().filter(({ marginMode }) => marginMode === 'isolated')
      const positionId = own[deed.index % Math.max(1, own.length)]?.id ?? 0
      return caller.post('/fapi/v1/edit_position_margin', { positionId, amount: deed.amount / 7 })
    }
    case 'transfer': {
      const [fromAccount, toAccount] = deed.isIn ? ['EXCHANGE', 'FUTURE'] : ['FUTURE', 'EXCHANGE']
      const amount = (deed.amount / 3).toFixed(6)
      return caller.post('/sapi/v1/asset/transfer', { coinSymbol: 'USDT', amount, fromAccount, toAccount })
    }
  }
}
