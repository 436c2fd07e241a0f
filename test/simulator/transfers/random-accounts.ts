import fc from 'fast-check'
import { type Amount, add, ZERO } from '../../../src/domain/numbers/amount.ts'
import type { Account } from '../../../src/simulator/account.ts'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import { totalOf } from '../../../src/simulator/futures/positions/futures-account.ts'
import type { SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import {
  payingAsset,
  type SimulatedSpotOrder,
  SPOT_ORDER_TYPES,
} from '../../../src/simulator/spot/spot-order.ts'
import type { User } from '../../../src/simulator/user.ts'
import { lockedBy } from '../../../src/simulator/withdrawal/withdrawal.ts'
import type { Answer, ExchangeCaller } from '../exchange-caller.ts'

/** The pairs of the flows; every two of their assets have a market. */
export const PAIRS = ['BTC/USDT', 'ETH/USDT', 'ETH/BTC'] as const

const FAULTS: readonly FaultRuleInput[] = [
  { fault: 'slowFills', delayMs: 7000, probability: 0.5 },
  { fault: 'pendingCancel', delayMs: 9000, probability: 0.5 },
  { fault: 'restart', from: '+30s', until: '+31s', losesOrders: true },
]

const side = fc.constantFrom('BUY' as const, 'SELL' as const)
const priceOffset = fc.integer({ min: -60, max: 60 })
const user = fc.nat({ max: 1 })
const pair = fc.constantFrom(0, 0, 0, 1, 2)

const order = fc.record({
  what: fc.constant('order' as const),
  user,
  pair,
  path: fc.constant('/sapi/v2/order' as const),
  side,
  type: fc.constantFrom(...SPOT_ORDER_TYPES, 'LIMIT' as const, 'STOP' as const),
  price: priceOffset,
  trigger: priceOffset,
  /** Hundredths of base, or units of quote. */
  volume: fc.integer({ min: 10, max: 1200 }),
})
const marginOrder = fc.record({
  what: fc.constant('order' as const),
  user,
  pair,
  path: fc.constant('/sapi/v2/margin/order' as const),
  side,
  type: fc.constantFrom('LIMIT' as const, 'MARKET' as const, 'MARKET' as const),
  price: priceOffset,
  trigger: fc.constant(0),
  volume: fc.integer({ min: 500, max: 2500 }),
})
const batch = fc.record({
  what: fc.constant('batch' as const),
  user,
  pair,
  orders: fc.array(fc.record({ side, price: priceOffset, volume: fc.integer({ min: 1, max: 300 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
})
const cancel = fc.record({ what: fc.constant('cancel' as const), user, pair, from: fc.nat({ max: 2 }) })
const move = fc.record({
  what: fc.constant('transfer' as const),
  user,
  amount: fc.integer({ min: 1, max: 4000 }),
  isBack: fc.boolean(),
})
const takeOut = fc.record({
  what: fc.constant('withdrawal' as const),
  user,
  amount: fc.integer({ min: 1, max: 1500 }),
  address: fc.constantFrom('good', 'rejected', 'failed', 'revoked'),
})
const pass = fc.record({ what: fc.constant('pass' as const), quarters: fc.integer({ min: 1, max: 8 }) })
/** A price jumps, in percent. */
const jump = fc.record({
  what: fc.constant('jump' as const),
  pair: fc.constantFrom(0, 0, 1, 2),
  percent: fc.oneof(fc.integer({ min: -75, max: -25 }), fc.integer({ min: 35, max: 200 })),
})
const disturb = fc.record({ what: fc.constant('fault' as const), rule: fc.constantFrom(...FAULTS) })

/** Something a user does, or that happens to all of them. */
export const accountAction = fc.oneof(
  { arbitrary: order, weight: 9 },
  { arbitrary: marginOrder, weight: 5 },
  { arbitrary: batch, weight: 2 },
  { arbitrary: cancel, weight: 2 },
  { arbitrary: move, weight: 1 },
  { arbitrary: takeOut, weight: 1 },
  { arbitrary: pass, weight: 4 },
  { arbitrary: jump, weight: 2 },
  { arbitrary: disturb, weight: 1 },
)
export type AccountAction = typeof accountAction extends fc.Arbitrary<infer Value> ? Value : never

/** How often each action succeeded. */
export type Deeds = Record<string, number>

/** Carries one action out through the interface; a refusal is an answer like any other. Returns the answer. */
export function carryOut(action: AccountAction, callers: readonly ExchangeCaller[], deeds: Deeds): unknown {
  const [first] = callers
  if (first === undefined) return undefined
  const { exchange, now: time } = first
  switch (action.what) {
    case 'pass':
      for (const caller of callers) caller.now += action.quarters * 15_000
      exchange.advance(first.now)
      return undefined
    case 'jump': {
      const { instrument, reference = 0 } = exchange.state.markets[action.pair] ?? {}
      if (instrument === undefined) return undefined
      const price = Math.max(1, Math.round((reference * (100 + action.percent)) / 100))
      const text = (price / 10 ** instrument.pricePrecision).toFixed(instrument.pricePrecision)
      return exchange.stage({ type: 'shock', time, symbol: instrument.symbol, price: text })
    }
    case 'fault':
      return exchange.stage({ type: 'setFault', time, rule: action.rule })
    default: {
      const caller = callers[action.user] as ExchangeCaller // one for every user
      const { status, text } = send(action, caller)
      if (status === 200) deeds[action.what] = (deeds[action.what] ?? 0) + 1
      return text
    }
  }
}

function send(
  action: Exclude<AccountAction, { what: 'pass' | 'jump' | 'fault' }>,
  caller: ExchangeCaller,
): Answer {
  switch (action.what) {
    case 'order': {
      const { side, type, volume } = action
      const { symbol, at, unit } = pairOf(action.pair, caller)
      const isStop = type === 'STOP' || type === 'STOP_MARKET'
      return caller.post(action.path, {
        ...{ symbol, side, type },
        volume: type.endsWith('MARKET') && side === 'BUY' ? volume * unit : volume / 100,
        price: type.endsWith('MARKET') ? undefined : at(action.price),
        triggerPrice: isStop ? at(action.trigger) : undefined,
      })
    }
    case 'batch': {
      const { symbol, at } = pairOf(action.pair, caller)
      const orders = action.orders.map(({ side, price, volume }) => ({
        ...{ side, batchType: 'LIMIT' },
        price: at(price),
        volume: volume / 100,
      }))
      return caller.post('/sapi/v2/batchOrders', { symbol, orders })
    }
    case 'cancel': {
      const { symbol } = pairOf(action.pair, caller)
      const { json } = caller.get(`/sapi/v2/openOrders?symbol=${symbol}`)
      // An exchange that restarts answers with nothing.
      const open = Array.isArray(json) ? json.slice(action.from, action.from + 3) : []
      const orderIds = open.map(({ orderIdString }: { orderIdString: string }) => orderIdString)
      return caller.post('/sapi/v2/batchCancel', { symbol, orderIds })
    }
    case 'transfer': {
      const [fromAccount, toAccount] = action.isBack ? ['FUTURE', 'EXCHANGE'] : ['EXCHANGE', 'FUTURE']
      const { amount } = action
      return caller.post('/sapi/v1/asset/transfer', { coinSymbol: 'USDT', amount, fromAccount, toAccount })
    }
    case 'withdrawal': {
      const { amount, address } = action
      const withdrawOrderId = `${caller.now} ${amount}`
      return caller.post('/sapi/v1/withdraw/apply', { withdrawOrderId, amount: String(amount), address })
    }
  }
}

/** A pair, its prices by their distance from the last one in ticks, and what a unit of quote is counted in. */
function pairOf(pair: number, { exchange }: ExchangeCaller) {
  const symbol = PAIRS[pair] ?? PAIRS[0]
  const { instrument, reference = 0 } = exchange.state.marketOf(symbol)
  const at = (offset: number) =>
    ((reference + offset) / 10 ** instrument.pricePrecision).toFixed(instrument.pricePrecision)
  return { symbol, at, unit: instrument.quote === 'BTC' ? 0.01 : 1 }
}

/** All there is of an asset: every account of every user and institution, spot, margin, futures and outside. */
export function everywhere(exchange: SimulatedExchange, asset: string): Amount {
  const { state, futures, transfers, withdrawals } = exchange
  const accounts: Account[] = state.users.flatMap(({ account, margin }) => [account, margin.account])
  const others = [state.house, state.fees, state.insurance, transfers.transit, withdrawals.outside]
  const spot = [...accounts, ...others].map(account => {
    const { free, locked } = account.holding(asset)
    return add(free, locked)
  })
  const wallets = [...futures.accounts, futures.clearing.house, futures.clearing.fees].map(account => {
    const wallet = account.wallets.get(asset)
    return wallet === undefined ? ZERO : totalOf(wallet)
  })
  return [...spot, ...wallets].reduce(add, ZERO)
}

/** What orders and withdrawals of an account keep locked of an asset. */
export function lockedFor(
  { withdrawals }: SimulatedExchange,
  { account, history }: Pick<User, 'account' | 'history'>,
  asset: string,
  hasWithdrawals: boolean,
): Amount {
  const orders = history.openOrders.filter(order => payingAsset(order) === asset).map(({ locked }) => locked)
  const leaving = hasWithdrawals
    ? [...withdrawals.of(account.uid)].filter(entry => entry.asset === asset && entry.dueAt !== undefined)
    : []
  return [...orders, ...leaving.map(lockedBy)].reduce(add, ZERO)
}

/** What the trades of an order add up to. */
export interface Traded {
  quantity: number
  notional: bigint
}

/** Every order of every user that is remembered, with what its trades add up to. */
export function ordersOf({ state }: SimulatedExchange): readonly (readonly [SimulatedSpotOrder, Traded])[] {
  return state.users
    .flatMap(user => [user.history, user.margin.history])
    .flatMap(history => {
      const traded = new Map<SimulatedSpotOrder, Traded>()
      for (const { order, execution } of history.trades()) {
        const sum = traded.get(order) ?? { quantity: 0, notional: 0n }
        sum.quantity += execution.quantity
        sum.notional += BigInt(execution.price) * BigInt(execution.quantity)
        traded.set(order, sum)
      }
      return history.orders.map(order => [order, traded.get(order) ?? { quantity: 0, notional: 0n }] as const)
    })
}
