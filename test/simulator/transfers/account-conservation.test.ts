import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import type { SimulatedOwnTrade } from '../../../src/simulator/spot/own-trade.ts'
import { isOpen } from '../../../src/simulator/spot/spot-order.ts'
import { ExchangeCaller, klinesOf, MINUTE, START } from '../exchange-caller.ts'
import { TradeWatch } from '../markets/trade-watch.ts'
import { propertyRuns } from '../property-runs.ts'
import {
  type AccountAction,
  accountAction,
  carryOut,
  everywhere,
  lockedFor,
  ordersOf,
  PAIRS,
} from './random-accounts.ts'

const SECOND = { apiKey: 'second-key', apiSecret: 'second-secret' }
const ASSETS = ['BTC', 'ETH', 'USDT']
/** Prices around which the three pairs move, which agree with each other. */
const LEVELS = [100, 10, 0.1] as const
const market = fc.array(fc.integer({ min: 9_930, max: 10_070 }), { minLength: 40, maxLength: 40 })
const flow = (minLength: number, maxLength: number) => fc.array(accountAction, { minLength, maxLength })

function configOf(prices: readonly number[]): SimulatorConfigInput {
  const money = {
    balances: { USDT: '3000', BTC: '30', ETH: '100' },
    marginBalances: { USDT: '800', BTC: '2' },
  }
  return {
    listings: PAIRS.map((symbol, index) => {
      const level = (LEVELS[index] ?? 1) / 10_000
      const klines = klinesOf(
        ...prices.map(price => {
          const [middle, swing] = [price * level, 40 * level]
          return [middle, middle + swing, middle - swing, middle] as const
        }),
      )
      const grid = index === 2 ? { pricePrecision: 5, minNotional: '0.1' } : { pricePrecision: 2 }
      return { symbol, ...grid, market: { type: 'klines', klines } }
    }),
    accounts: [
      { ...TEST_ACCOUNT, ...money },
      { ...SECOND, ...money, feesPaidWith: { asset: 'ETH', price: '10' } },
    ],
    liquidity: { spreadTicks: 3, levelNotionals: ['400', '900', '700'] },
    margin: { hourlyInterestRate: '0.001' },
    limits: { areEnforced: false },
    transfers: { arrivalMs: 20_000, failures: [{ probability: 0.3 }] },
    withdrawals: {
      ...{ approvalMs: 20_000, paymentMs: 20_000, completionMs: 20_000, fees: { USDT: '1' } },
      exceptions: (['rejected', 'failed', 'revoked'] as const).map(ends => ({ ends, address: ends })),
    },
  }
}

function opened(prices: readonly number[]) {
  const exchange = createSimulatedExchange(configOf(prices))
  exchange.advance(START)
  return { exchange, callers: [new ExchangeCaller(exchange), new ExchangeCaller(exchange, SECOND)] }
}

const totals = (exchange: SimulatedExchange) => ASSETS.map(asset => amountToText(everywhere(exchange, asset)))

/** Much faster than an assertion for each of millions of facts. */
function check(isSound: boolean, what: string): void {
  if (!isSound) throw new Error(`It is not so that ${what}.`)
}

function checkAccounts(exchange: SimulatedExchange): void {
  for (const user of exchange.state.users) {
    for (const holder of [user, user.margin]) {
      for (const [asset, { free, locked }] of holder.account.holdings) {
        check(free >= 0n && locked >= 0n, `nobody has less than nothing: ${free}, ${locked} ${asset}`)
        const isLocked = locked === lockedFor(exchange, holder, asset, holder === user)
        check(isLocked, `orders and withdrawals lock the ${locked} ${asset}`)
      }
    }
    for (const [asset, debt] of user.margin.credit.debts) {
      const { free } = user.margin.account.holding(asset)
      check(debt > 0n && free === 0n, `whoever owes ${debt} ${asset} has nothing of it free: ${free}`)
    }
    const futures = exchange.futures.accountOf(user.account.uid)
    check(exchange.futures.availableOf(futures, 'USDT') >= 0n, 'nobody owes on futures')
  }
  for (const asset of ASSETS) {
    check(exchange.transfers.transit.holding(asset).free >= 0n, `no ${asset} arrives twice`)
  }
}

function checkOrders(exchange: SimulatedExchange): void {
  for (const { market } of exchange.state.markets) {
    const [bid, ask] = (['buy', 'sell'] as const).map(side => market.book.best(side))
    check(bid === undefined || ask === undefined || bid.price < ask.price, 'the book is not crossed')
  }
  for (const [order, { quantity, notional }] of ordersOf(exchange)) {
    const { instrument, size, status, type, id } = order
    const scale = 10n ** BigInt(18 - instrument.pricePrecision - instrument.quantityPrecision)
    check(order.executedQuantity === quantity, `the trades of ${id} add up to what it executed`)
    check(order.executedNotional === notional * scale, `the trades of ${id} add up to what it paid`)
    check(isOpen(order) || order.locked === 0n, `${id} locks nothing after its end`)
    check(type !== 'FOK' || quantity === 0 || status === 'FILLED', `${id} is filled or killed`)
    check(size.unit !== 'base' || quantity <= size.quantity, `${id} executes no more than was ordered`)
    check(
      (size.unit === 'base' && quantity === size.quantity) === (status === 'FILLED') || size.unit === 'quote',
      `${id} is filled once it is whole`,
    )
    check(order.workingSince !== undefined || quantity === 0, `${id} did not trade before it was on the book`)
  }
}

function checkTotals(exchange: SimulatedExchange, before: readonly string[]): void {
  const now = totals(exchange)
  check(now.join() === before.join(), `there still are ${before}: ${now}`)
}

/** What makes a flow worth its trouble, counted over all of them. */
type Seen = Record<string, number>

function count(seen: Seen, what: string, times: number): void {
  seen[what] = (seen[what] ?? 0) + times
}

/** Plays a flow and holds everything against the rules after each step; then lets everything end. */
function playChecked(
  prices: readonly number[],
  actions: readonly AccountAction[],
  seen: Seen,
): SimulatedExchange {
  const { exchange, callers } = opened(prices)
  const watch = new TradeWatch(exchange)
  const before = totals(exchange)
  for (const [index, action] of actions.entries()) {
    carryOut(action, callers, seen)
    checkAccounts(exchange)
    checkOrders(exchange)
    if (index % 4 === 0) checkTotals(exchange, before)
    const { users } = exchange.state
    count(seen, 'indebted', users.filter(({ margin }) => margin.credit.debts.size > 0).length)
    count(seen, 'transfers under way', exchange.transfers.nextAt === undefined ? 0 : 1)
  }
  exchange.advance((callers[0]?.now ?? START) + 5 * MINUTE)
  for (const [order] of ordersOf(exchange)) if (isOpen(order)) exchange.state.cancel(order)
  checkAccounts(exchange)
  checkOrders(exchange)
  checkTotals(exchange, before)
  watch.expectNoProblems()
  for (const [type, times] of Object.entries(watch.takers)) count(seen, `${type} taking`, times)
  return exchange
}

function countEnd({ state, transfers, withdrawals }: SimulatedExchange, seen: Seen): void {
  for (const { account, margin, history } of state.users) {
    for (const holder of [account, margin.account]) {
      for (const { locked } of holder.holdings.values()) check(locked === 0n, 'nothing is locked in the end')
    }
    const trades = [...history.trades(), ...margin.history.trades()]
    const isSelf = ({ execution: { maker, taker } }: SimulatedOwnTrade) =>
      maker.account.uid === taker.account.uid
    count(seen, 'self-dealt', trades.filter(isSelf).length)
    count(seen, 'of stops', trades.filter(({ order }) => order.triggerPrice !== undefined).length)
    const failed = [...transfers.of(account.uid)].filter(({ status }) => status === 'FAILED')
    count(seen, 'transfers failed', failed.length)
  }
  count(seen, 'liquidated', [...state.marginLiquidations].length)
  count(seen, 'insured', ASSETS.some(asset => state.insurance.holding(asset).free < 0n) ? 1 : 0)
  count(seen, 'gone outside', withdrawals.outside.holding('USDT').free > 0n ? 1 : 0)
}

/** How often each must have been seen in a hundred flows. */
const WORTHWHILE = {
  ...{ order: 500, batch: 50, cancel: 30, transfer: 30, withdrawal: 50, 'gone outside': 10 },
  ...{ 'self-dealt': 50, 'of stops': 20, indebted: 500, liquidated: 10, insured: 1 },
  ...{ 'transfers under way': 20, 'transfers failed': 5 },
  ...{ 'LIMIT taking': 100, 'MARKET taking': 100, 'IOC taking': 20, 'FOK taking': 10 },
  ...{ 'STOP taking': 5, 'STOP_MARKET taking': 5 },
}

describe('any flow of orders, stops, batches, margin orders, transfers and withdrawals, through jumps and faults', () => {
  const { numRuns, timeout } = propertyRuns(200)

  it('conserves every asset, leaves nothing negative that must not be, and trades through no better order', {
    timeout,
  }, () => {
    const seen: Seen = {}
    const property = fc.property(market, flow(30, 80), (prices, actions) =>
      countEnd(playChecked(prices, actions, seen), seen),
    )
    fc.assert(property, { numRuns })
    const tooRare = Object.entries(WORTHWHILE).filter(([what, least]) => (seen[what] ?? 0) < least)
    expect(tooRare.map(([what]) => `${what}: ${seen[what]}`)).toEqual([])
  })

  it('comes to the same answers and the same state hash from the same seed', { timeout }, () => {
    const property = fc.property(market, flow(20, 50), (prices, actions) => {
      const run = () => {
        const { exchange, callers } = opened(prices)
        const answers = actions.map(action => carryOut(action, callers, {}))
        return { answers, hash: exchange.stateHash }
      }
      expect(run()).toEqual(run())
    })
    fc.assert(property, { numRuns: Math.ceil(numRuns / 5) })
  })
})
