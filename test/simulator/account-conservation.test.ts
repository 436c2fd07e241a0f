import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountToText } from '../../src/domain/amount.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { isOpen } from '../../src/simulator/spot-order.ts'
import { ExchangeCaller, klinesOf, MINUTE, START } from './exchange-caller.ts'
import { accountAction, carryOut, type Deeds, everywhere, lockedFor, ordersOf } from './random-accounts.ts'

const SECOND = { apiKey: 'second-key', apiSecret: 'second-secret' }
const market = fc.array(fc.integer({ min: 9_930, max: 10_070 }), { minLength: 40, maxLength: 40 })

function configOf(prices: readonly number[]): SimulatorConfigInput {
  const klines = klinesOf(
    ...prices.map(price => [price / 100, price / 100 + 0.4, price / 100 - 0.4, price / 100] as const),
  )
  const money = { balances: { USDT: '3000', BTC: '30' }, marginBalances: { USDT: '800', BTC: '2' } }
  return {
    listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines } }],
    accounts: [
      { ...TEST_ACCOUNT, ...money },
      { ...SECOND, ...money },
    ],
    liquidity: { spreadTicks: 3, levelNotionals: ['400', '900', '700'] },
    margin: { hourlyInterestRate: '0.001' },
    limits: { areEnforced: false },
    withdrawals: {
      ...{ approvalMs: 20_000, paymentMs: 20_000, completionMs: 20_000, fees: { USDT: '1' } },
      exceptions: (['rejected', 'failed', 'revoked'] as const).map(ends => ({ ends, address: ends })),
    },
  }
}

function expectSound(exchange: SimulatedExchange): void {
  for (const user of exchange.state.users) {
    for (const holder of [user, user.margin]) {
      for (const [asset, { free, locked }] of holder.account.holdings) {
        expect(free >= 0n && locked >= 0n).toBe(true)
        expect(locked).toBe(lockedFor(exchange, holder, asset, holder === user))
      }
    }
    // Whoever owes has nothing of it free.
    for (const [asset, debt] of user.margin.credit.debts) {
      expect([debt > 0n, user.margin.account.holding(asset).free]).toEqual([true, 0n])
    }
    const futures = exchange.futures.accountOf(user.account.uid)
    expect(exchange.futures.availableOf(futures, 'USDT') >= 0n).toBe(true)
  }
  const [bid, ask] = (['buy', 'sell'] as const).map(side => exchange.state.markets[0]?.market.book.best(side))
  if (bid !== undefined && ask !== undefined) expect(bid.price).toBeLessThan(ask.price)
  for (const [order, executed] of ordersOf(exchange)) {
    expect(order.executedQuantity).toBe(executed)
    if (!isOpen(order)) expect(order.locked).toBe(0n)
  }
}

describe('any flow of orders, stops, batches, margin orders, transfers and withdrawals', () => {
  it('conserves every asset over all accounts and leaves nothing negative that must not be', () => {
    const deeds: Deeds = {}
    const seen = { self: 0, stops: 0, borrowed: 0, lost: 0 }
    fc.assert(
      fc.property(market, fc.array(accountAction, { minLength: 30, maxLength: 80 }), (prices, actions) => {
        const exchange = createSimulatedExchange(configOf(prices))
        const callers = [new ExchangeCaller(exchange), new ExchangeCaller(exchange, SECOND)]
        exchange.advance(START)
        const before = ['BTC', 'USDT'].map(asset => amountToText(everywhere(exchange, asset)))
        for (const action of actions) {
          carryOut(action, callers, deeds)
          expectSound(exchange)
          seen.borrowed += exchange.state.users.filter(({ margin }) => margin.credit.debts.size > 0).length
        }
        exchange.advance((callers[0]?.now ?? START) + 200 * MINUTE)
        for (const [order] of ordersOf(exchange)) if (isOpen(order)) exchange.state.cancel(order)
        expectSound(exchange)
        expect(['BTC', 'USDT'].map(asset => amountToText(everywhere(exchange, asset)))).toEqual(before)
        for (const { account, margin, history } of exchange.state.users) {
          for (const holder of [account, margin.account]) {
            for (const { locked } of holder.holdings.values()) expect(locked).toBe(0n)
          }
          const trades = [...history.trades(), ...margin.history.trades()]
          seen.self += trades.filter(
            ({ execution: { maker, taker } }) => maker.account.uid === taker.account.uid,
          ).length
          seen.stops += trades.filter(({ order }) => order.triggerPrice !== undefined).length
        }
        seen.lost += exchange.withdrawals.outside.holding('USDT').free > 0n ? 1 : 0
      }),
      { numRuns: 200 },
    )
    // The flows must have been worth the trouble.
    for (const what of ['order', 'batch', 'cancel', 'transfer', 'withdrawal']) {
      expect(deeds[what], what).toBeGreaterThan(100)
    }
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(50)
  })
})
