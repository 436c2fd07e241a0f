import fc from 'fast-check'
import { type Amount, add, ZERO } from '../../src/domain/amount.ts'
import type { Account } from '../../src/simulator/account.ts'
import { totalOf } from '../../src/simulator/futures/futures-account.ts'
import type { SimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { payingAsset, SPOT_ORDER_TYPES, type SpotOrder } from '../../src/simulator/spot-order.ts'
import type { User } from '../../src/simulator/user.ts'
import { lockedBy } from '../../src/simulator/withdrawal/withdrawal.ts'
import type { Answer, ExchangeCaller } from './exchange-caller.ts'

const side = fc.constantFrom('BUY' as const, 'SELL' as const)
const priceOffset = fc.integer({ min: -60, max: 60 })
const user = fc.nat({ max: 1 })

const order = fc.record({
  what: fc.constant('order' as const),
  user,
  path: fc.constantFrom('/sapi/v2/order', '/sapi/v2/order', '/sapi/v2/margin/order'),
  side,
  type: fc.constantFrom(...SPOT_ORDER_TYPES, 'LIMIT' as const, 'STOP' as const),
  price: priceOffset,
  trigger: priceOffset,
  /** Hundredths of base, or units of quote. */
  volume: fc.integer({ min: 10, max: 1200 }),
})
const batch = fc.record({
  what: fc.constant('batch' as const),
  user,
  orders: fc.array(fc.record({ side, price: priceOffset, volume: fc.integer({ min: 1, max: 300 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
})
const cancel = fc.record({ what: fc.constant('cancel' as const), user, from: fc.nat({ max: 5 }) })
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

/** Something a user does, or nothing but time. */
export const accountAction = fc.oneof(
  { arbitrary: order, weight: 12 },
  { arbitrary: batch, weight: 2 },
  { arbitrary: cancel, weight: 2 },
  { arbitrary: move, weight: 1 },
  { arbitrary: takeOut, weight: 1 },
  { arbitrary: pass, weight: 4 },
)
export type AccountAction = typeof accountAction extends fc.Arbitrary<infer Value> ? Value : never

/** How often each action succeeded. */
export type Deeds = Record<string, number>

/** Carries one action out through the interface; a refusal is an answer like any other. */
export function carryOut(action: AccountAction, callers: readonly ExchangeCaller[], deeds: Deeds): void {
  if (action.what === 'pass') {
    for (const caller of callers) caller.now += action.quarters * 15_000
    callers[0]?.exchange.advance(callers[0].now)
    return
  }
  const caller = callers[action.user] as ExchangeCaller // one for every user
  const { status } = send(action, caller)
  if (status === 200) deeds[action.what] = (deeds[action.what] ?? 0) + 1
}

function send(action: Exclude<AccountAction, { what: 'pass' }>, caller: ExchangeCaller): Answer {
  const reference = caller.exchange.state.markets[0]?.reference ?? 0
  const at = (offset: number) => (reference + offset) / 100
  const symbol = 'BTC/USDT'
  switch (action.what) {
    case 'order': {
      const { side, type, volume } = action
      const isStop = type === 'STOP' || type === 'STOP_MARKET'
      return caller.post(action.path, {
        ...{ symbol, side, type },
        volume: type.endsWith('MARKET') && side === 'BUY' ? volume : volume / 100,
        price: type.endsWith('MARKET') ? undefined : at(action.price),
        triggerPrice: isStop ? at(action.trigger) : undefined,
      })
    }
    case 'batch': {
      const orders = action.orders.map(({ side, price, volume }) => ({
        ...{ side, batchType: 'LIMIT' },
        price: at(price),
        volume: volume / 100,
      }))
      return caller.post('/sapi/v2/batchOrders', { symbol, orders })
    }
    case 'cancel': {
      const open = caller.get('/sapi/v2/openOrders').json.slice(action.from, action.from + 3)
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

/** All there is of an asset: every account of every user and institution, spot, margin, futures and outside. */
export function everywhere({ state, futures, withdrawals }: SimulatedExchange, asset: string): Amount {
  const accounts: Account[] = state.users.flatMap(({ account, margin }) => [account, margin.account])
  const spot = [...accounts, state.house, state.fees, withdrawals.outside].map(account => {
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

/** Every order of every user that is remembered, with what its trades add up to. */
export function ordersOf({ state }: SimulatedExchange): readonly (readonly [SpotOrder, number])[] {
  return state.users
    .flatMap(user => [user.history, user.margin.history])
    .flatMap(history => {
      const executed = new Map<SpotOrder, number>()
      for (const { order, execution } of history.trades()) {
        executed.set(order, (executed.get(order) ?? 0) + execution.quantity)
      }
      return history.orders.map(order => [order, executed.get(order) ?? 0] as const)
    })
}
