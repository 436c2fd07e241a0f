import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, ZERO } from '../../src/domain/amount.ts'
import { steps, ticks } from '../../src/domain/grid.ts'
import { ApiError } from '../../src/simulator/api-error.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import type { SpotExchange } from '../../src/simulator/spot-exchange.ts'
import { isOpen, type OrderSize, SPOT_ORDER_TYPES, type SpotOrder } from '../../src/simulator/spot-order.ts'
import { klinesOf, MINUTE, replayOf, START } from './exchange-caller.ts'

const placing = fc.record({
  what: fc.constant('place' as const),
  user: fc.nat({ max: 1 }),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  type: fc.constantFrom(...SPOT_ORDER_TYPES, 'LIMIT' as const),
  offset: fc.integer({ min: -60, max: 60 }),
  volume: fc.integer({ min: 1, max: 300_000 }),
})
const canceling = fc.record({ what: fc.constant('cancel' as const), index: fc.nat({ max: 30 }) })
const passing = fc.record({ what: fc.constant('pass' as const), quarters: fc.integer({ min: 1, max: 6 }) })
const action = fc.oneof({ arbitrary: placing, weight: 6 }, canceling, passing)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

const market = fc.array(fc.integer({ min: 9_950, max: 10_050 }), { minLength: 40, maxLength: 40 })

/** Carries one action out; keeps every order that was taken on. */
function act(exchange: SpotExchange, action: Action, orders: SpotOrder[]): void {
  if (action.what === 'pass') exchange.advance(exchange.now + action.quarters * 15_000)
  if (action.what === 'cancel') {
    const order = orders[action.index]
    if (order !== undefined && isOpen(order)) exchange.cancel(order)
  }
  if (action.what !== 'place') return
  const { side, type, offset, volume } = action
  const [{ instrument, reference } = {}, user] = [exchange.markets[0], exchange.users[action.user]]
  if (instrument === undefined || reference === undefined || user === undefined)
    throw new Error('unreachable')
  const price = type === 'MARKET' ? undefined : ticks(reference + offset)
  const size: OrderSize =
    type === 'MARKET' && side === 'buy'
      ? { unit: 'quote', amount: (BigInt(volume) * 10n ** 15n) as typeof ZERO } // thousandths of quote
      : { unit: 'base', quantity: steps(volume) }
  try {
    orders.push(exchange.place(user, { instrument, side, type, size, price, clientOrderId: undefined }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

function totalOf(exchange: SpotExchange, asset: string) {
  const accounts = [...exchange.users.map(({ account }) => account), exchange.house, exchange.fees]
  return accounts.reduce((total, account) => {
    const { free, locked } = account.holding(asset)
    return add(total, add(free, locked))
  }, ZERO)
}

function expectSound(exchange: SpotExchange, orders: readonly SpotOrder[]): void {
  for (const { account } of exchange.users) {
    for (const { free, locked } of account.holdings.values()) expect(free >= 0n && locked >= 0n).toBe(true)
  }
  const [bid, ask] = (['buy', 'sell'] as const).map(side => exchange.markets[0]?.market.book.best(side))
  if (bid !== undefined && ask !== undefined) expect(bid.price).toBeLessThan(ask.price)
  const executed = new Map<SpotOrder, number>()
  for (const { history } of exchange.users) {
    for (const { order, execution } of history.trades()) {
      executed.set(order, (executed.get(order) ?? 0) + execution.quantity)
    }
  }
  for (const order of orders) expect(order.executedQuantity).toBe(executed.get(order) ?? 0)
}

describe('any flow of orders', () => {
  it('conserves every asset, leaves nothing negative, never crosses the book and books what was traded', () => {
    let trades = 0
    fc.assert(
      fc.property(market, fc.array(action, { minLength: 20, maxLength: 60 }), (prices, actions) => {
        const klines = klinesOf(
          ...prices.map(price => [price / 100, price / 100 + 0.3, price / 100 - 0.3, price / 100] as const),
        )
        const config = replayOf(klines, { liquidity: { spreadTicks: 3, levelNotionals: ['40', '90', '70'] } })
        const exchange = createSimulatedExchange(config).state
        const orders: SpotOrder[] = []
        exchange.advance(START)
        const before = [totalOf(exchange, 'BTC'), totalOf(exchange, 'USDT')]
        for (const next of actions) {
          act(exchange, next, orders)
          expectSound(exchange, orders)
        }
        expect([totalOf(exchange, 'BTC'), totalOf(exchange, 'USDT')]).toEqual(before)
        trades += exchange.users.reduce((total, { history }) => total + history.trades().toArray().length, 0)
        for (const order of orders) if (isOpen(order)) exchange.cancel(order)
        for (const { account } of exchange.users) {
          for (const { locked } of account.holdings.values()) expect(locked).toBe(0n)
        }
      }),
      { numRuns: 150 },
    )
    expect(trades).toBeGreaterThan(500)
  })

  it('leaves the record of the market as it is without users', () => {
    const klines = klinesOf([100, 102, 99, 101], [101, 103, 98, 99], [99, 100, 99, 100])
    const record = (withOrders: boolean) => {
      const simulated = createSimulatedExchange(replayOf(klines))
      simulated.advance(START)
      const [user] = simulated.state.users
      const [listed] = simulated.state.markets
      if (user === undefined || listed === undefined) throw new Error('unreachable')
      const size = { unit: 'base', quantity: steps(500_000) } as const
      const draft = {
        instrument: listed.instrument,
        side: 'sell',
        type: 'MARKET',
        size,
        price: undefined,
      } as const
      if (withOrders) simulated.state.place(user, { ...draft, clientOrderId: undefined })
      simulated.advance(START + 3 * MINUTE)
      return [[...listed.tape.trades()], [...listed.klines('1m', simulated.state.now)]]
    }
    expect(record(true)).toEqual(record(false))
  })
})
