import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Amount, add, amountOf, ZERO } from '../../../src/domain/amount.ts'
import { steps, ticks } from '../../../src/domain/grid.ts'
import { ApiError } from '../../../src/simulator/api-error.ts'
import { crossStateOf, keepOf } from '../../../src/simulator/futures/equity.ts'
import { type FuturesAccount, totalOf } from '../../../src/simulator/futures/futures-account.ts'
import type { FuturesExchange } from '../../../src/simulator/futures/futures-exchange.ts'
import {
  FUTURES_ORDER_TYPES,
  type FuturesOrder,
  isLive,
  isWaiting,
  openVolumeOf,
} from '../../../src/simulator/futures/futures-order.ts'
import { futuresStateOf } from '../../../src/simulator/futures/futures-state.ts'
import { closingVolume } from '../../../src/simulator/futures/order-check.ts'
import { unrealizedOf } from '../../../src/simulator/futures/position.ts'
import { jsonText } from '../../../src/simulator/json-text.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { klinesOf, replayOf, START } from '../exchange-caller.ts'
import { type ContractInput, ROUND_CONTRACT, SECOND, THIRD } from './futures-caller.ts'

const user = fc.nat({ max: 2 })
const contract = fc.nat({ max: 1 })
const side = fc.constantFrom('buy' as const, 'sell' as const)
const trigger = fc.option(fc.constantFrom('up' as const, 'down' as const), { freq: 8, nil: undefined })
const placing = fc.record({
  what: fc.constant('place' as const),
  user,
  contract,
  side,
  trigger,
  action: fc.constantFrom('OPEN' as const, 'OPEN' as const, 'CLOSE' as const),
  type: fc.constantFrom(...FUTURES_ORDER_TYPES, 'LIMIT' as const, 'MARKET' as const),
  marginMode: fc.constantFrom('cross' as const, 'isolated' as const, undefined),
  offset: fc.integer({ min: -300, max: 300 }),
  volume: fc.integer({ min: 1, max: 120 }),
})
const canceling = fc.record({ what: fc.constant('cancel' as const), index: fc.nat({ max: 30 }) })
const passing = fc.record({ what: fc.constant('pass' as const), quarters: fc.integer({ min: 1, max: 6 }) })
const setting = fc.record({
  what: fc.constant('set' as const),
  user,
  contract,
  leverage: fc.constantFrom(3, 20, 50),
  positionMode: fc.constantFrom('net' as const, 'twoWay' as const),
})
const moving = fc.record({
  what: fc.constant('move' as const),
  user,
  amount: fc.integer({ min: -300, max: 300 }),
  margin: fc.boolean(),
})
const action = fc.oneof(
  { arbitrary: placing, weight: 8 },
  canceling,
  { arbitrary: passing, weight: 3 },
  setting,
  moving,
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

const market = fc.array(fc.integer({ min: 9_600, max: 10_400 }), { minLength: 40, maxLength: 40 })

/** Two contracts on one spot pair: one with a premium and hourly funding, one that starts shortly before a settlement. */
function exchangeOn(prices: readonly number[]): FuturesExchange {
  const klines = klinesOf(
    ...prices.map(price => [price / 100, price / 100 + 0.9, price / 100 - 0.9, price / 100] as const),
  ).map(kline => ({ ...kline, openTime: kline.openTime + 3_600_000 - 300_000 }))
  const account = { balances: {}, futuresBalances: { USDT: '500' } }
  const second: ContractInput = {
    ...ROUND_CONTRACT,
    symbol: 'S-BTC-USDT',
    premium: '0.002',
    fundingHours: 1,
    market: { type: 'spot', symbol: 'BTC/USDT' },
  }
  const exchange = createSimulatedExchange(
    replayOf(klines, {
      accounts: [
        { ...TEST_ACCOUNT, ...account },
        { ...SECOND, ...account },
        { ...THIRD, ...account, futuresBalances: { USDT: '60' } },
      ],
      liquidity: { spreadTicks: 3, levelNotionals: ['400', '900', '700'] },
      futures: { contracts: [ROUND_CONTRACT, second], leverage: 50 },
    }),
  )
  exchange.advance(START + 3_600_000 - 300_000)
  return Object.assign(exchange.futures, { whole: exchange })
}

interface Flow {
  readonly futures: FuturesExchange
  readonly advance: (ms: number) => void
  readonly orders: FuturesOrder[]
  deposited: Amount
}

function carryOut(flow: Flow, action: Action): void {
  const { futures, orders } = flow
  if (action.what === 'pass') {
    flow.advance(action.quarters * 15_000)
    return
  }
  if (action.what === 'cancel') {
    const order = orders[action.index]
    if (order !== undefined && isWaiting(order)) futures.desk.cancel(order)
    return
  }
  const account = futures.accounts[action.user]
  if (account === undefined) throw new Error('unreachable')
  if (action.what === 'move') {
    move(flow, account, action)
    return
  }
  const listed = futures.contracts[action.contract]
  if (listed === undefined) throw new Error('unreachable')
  if (action.what === 'set') {
    const { leverage, positionMode } = action
    if (!futures.desk.isBusy(account, listed.contract))
      Object.assign(account.slot(listed.contract), { leverage, positionMode })
    return
  }
  const { side, type, offset, volume, marginMode, trigger } = action
  const price = ticks(listed.mark + offset)
  const draft = {
    ...{ contract: listed.contract, side, action: action.action, type, marginMode },
    ...{ volume: steps(volume), price: type === 'MARKET' ? undefined : price },
    ...{ clientOrderId: undefined, leverage: undefined },
    trigger: trigger && { direction: trigger, price },
  }
  orders.push(futures.desk.place(account, draft))
}

function move(
  flow: Flow,
  account: FuturesAccount,
  { amount, margin }: { amount: number; margin: boolean },
): void {
  const money = amountOf(String(Math.abs(amount) / 7).slice(0, 8))
  const [own] = account.positions().filter(({ marginMode }) => marginMode === 'isolated')
  if (margin && own !== undefined && money <= flow.futures.availableOf(account, 'USDT'))
    account.addMargin(own, money)
  else if (amount < 0) {
    flow.futures.withdraw(account, 'USDT', money)
    flow.deposited = (flow.deposited - money) as Amount
  } else {
    flow.futures.deposit(account, 'USDT', money)
    flow.deposited = add(flow.deposited, money)
  }
}

function everyone({ accounts, clearing }: FuturesExchange): FuturesAccount[] {
  return [...accounts, clearing.house, clearing.fees]
}

function expectSound({ futures, orders, deposited }: Flow): void {
  const all = everyone(futures)
  const positions = all.flatMap(account => account.positions())
  const money = all.map(account => totalOf(account.wallet('USDT'))).reduce(add, ZERO)
  const cost = positions.reduce(
    (sum, { direction, cost }) => (direction === 'long' ? sum + cost : sum - cost),
    0n,
  )
  expect(money - cost).toBe(deposited)
  for (const { contract, market } of futures.contracts) {
    const held = positions.filter(position => position.contract === contract)
    expect(
      held.reduce((sum, { direction, volume }) => sum + (direction === 'long' ? volume : -volume), 0),
    ).toBe(0)
    const [bid, ask] = [market.book.best('buy'), market.book.best('sell')]
    if (bid !== undefined && ask !== undefined) expect(bid.price).toBeLessThan(ask.price)
  }
  for (const account of futures.accounts) expectSoundAccount(futures, account)
  const executed = new Map<FuturesOrder, number>()
  for (const { records } of futures.accounts) {
    for (const { order, execution } of records.trades())
      executed.set(order, (executed.get(order) ?? 0) + execution.volume)
  }
  for (const order of orders) expect(order.executedQuantity).toBe(executed.get(order) ?? 0)
}

function expectSoundAccount(futures: FuturesExchange, account: FuturesAccount): void {
  const { normal, locked, isolated } = account.wallet('USDT')
  const live = account.records.openOrders.filter(isLive)
  const own = account.positions().filter(({ marginMode }) => marginMode === 'isolated')
  const cross = crossStateOf(account, 'USDT', futures.desk.markOf)
  expect(locked).toBe(
    live.reduce((sum, order) => sum + order.frozenPerContract * BigInt(openVolumeOf(order)), 0n),
  )
  expect(isolated).toBe(own.reduce((sum, { margin }) => sum + margin, 0n))
  if (cross.positions.length === 0) expect(normal >= 0n).toBe(true)
  else expect(cross.equity > cross.maintenance).toBe(true)
  for (const position of own) {
    const mark = futures.desk.markOf(position.contract)
    expect(position.margin + unrealizedOf(position, mark) > keepOf(position, mark)).toBe(true)
  }
  for (const { contract } of futures.contracts) {
    const slot = account.slot(contract)
    if (slot.positionMode === 'net') expect(slot.long === undefined || slot.short === undefined).toBe(true)
    expect(closingVolume(slot, 'sell', account.records.openOrders)).toBeLessThanOrEqual(
      slot.long?.volume ?? 0,
    )
    expect(closingVolume(slot, 'buy', account.records.openOrders)).toBeLessThanOrEqual(
      slot.short?.volume ?? 0,
    )
  }
  const newest = account.transactions.newest
  if (newest !== undefined) expect(newest.afterBalance).toBe(totalOf(account.wallet('USDT')))
}

function run(prices: readonly number[], actions: readonly Action[], afterEach: (flow: Flow) => void): Flow {
  const futures = exchangeOn(prices)
  const { whole } = futures as FuturesExchange & { whole: ReturnType<typeof createSimulatedExchange> } // put there above
  const flow: Flow = {
    ...{ futures, orders: [], deposited: amountOf('1060') },
    advance: ms => whole.advance(futures.now + ms),
  }
  for (const action of actions) {
    try {
      carryOut(flow, action)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
    afterEach(flow)
  }
  return flow
}

describe('any flow of futures orders', () => {
  it('conserves money, keeps positions in balance, lets no one owe and never crosses the book', () => {
    const seen = { trades: 0, liquidations: 0, funding: 0, triggered: 0 }
    fc.assert(
      fc.property(market, fc.array(action, { minLength: 40, maxLength: 90 }), (prices, actions) => {
        const { futures, orders } = run(prices, actions, expectSound)
        for (const { records, closedPositions, transactions } of futures.accounts) {
          seen.trades += [...records.trades()].length
          seen.liquidations += [...closedPositions.oldestFirst()].filter(
            ({ isLiquidated }) => isLiquidated,
          ).length
          seen.funding += [...transactions.oldestFirst()].filter(({ type }) => type === 'funding').length
        }
        seen.triggered += orders.filter(
          ({ trigger, executedQuantity }) => trigger && executedQuantity > 0,
        ).length
      }),
      { numRuns: 150 },
    )
    expect(seen.trades).toBeGreaterThan(500)
    expect(seen.liquidations).toBeGreaterThan(50)
    expect(seen.funding).toBeGreaterThan(20)
    expect(seen.triggered).toBeGreaterThan(20)
  })

  it('comes to the same state from the same seed and orders', () => {
    const hash = ({ futures }: Flow) =>
      createHash('sha256')
        .update(jsonText(futuresStateOf(futures)))
        .digest('hex')
    fc.assert(
      fc.property(market, fc.array(action, { minLength: 20, maxLength: 40 }), (prices, actions) => {
        const look = ({ futures }: Flow) => void futures.awakeContracts()
        expect(hash(run(prices, actions, look))).toBe(hash(run(prices, actions, () => undefined)))
      }),
      { numRuns: 20 },
    )
  })
})
