import { bookNames } from '../domain/book-names.ts'
import type { Size } from '../domain/signal.ts'
import type { RiskRules } from '../risk/risk-rules.ts'
import { requireRoles } from '../strategy/feeds/followed-feeds.ts'
import type { StrategyRunnerOptions } from './engine-options.ts'

/** One instrument that a strategy trades: its own, or that of a role. */
export interface TradedMarket {
  /** Place of the strategy in the engine's list. */
  readonly strategyIndex: number
  /** `undefined` for the strategy's own instrument. */
  readonly role: string | undefined
  readonly symbol: string
  readonly book: string
  /** Size of signals that name none. */
  readonly size: Size
  /** Name of the strategy. */
  readonly strategy: string
  /** The strategy's limits and protections. */
  readonly risk: RiskRules | undefined
  /** The instruments with data that the strategy decides by. */
  readonly follows: readonly string[]
}

/**
 * Everything that strategies trade, in the order of their declaration; of each its own market, then its
 * roles. Throws `UsageError` for roles without an instrument.
 */
export function tradedMarkets(options: readonly StrategyRunnerOptions[]): readonly TradedMarket[] {
  const traded = options.flatMap(({ strategy, symbol, size, risk, markets = {}, books = {} }, index) => {
    requireRoles(strategy, { symbol, markets })
    const follows = [symbol, ...Object.values(markets).map(market => market.symbol)]
    const common = { strategyIndex: index, strategy, risk, follows }
    const others = strategy.markets.map(role => {
      const market = markets[role] ?? { symbol } // each role has one, as required
      return { ...common, role, symbol: market.symbol, size: market.size ?? size, book: books[role] }
    })
    return [{ ...common, role: undefined, symbol, size, book: books[''] }, ...others]
  })
  const books = bookNames(traded)
  return traded.map(({ strategy, ...market }, index) => ({
    ...market,
    strategy: strategy.name,
    book: books[index] ?? market.symbol,
  }))
}
