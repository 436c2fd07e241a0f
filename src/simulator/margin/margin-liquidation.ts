import { type Amount, subtract, ZERO } from '../../domain/numbers/amount.ts'
import type { Account } from '../account.ts'
import type { ListedMarket } from '../spot/listed-market.ts'
import type { SpotOrderDraft } from '../spot/spot-order.ts'
import type { MarginTrader } from '../trader.ts'
import { type Conversion, conversionCost, conversionOf, isTradable, marketOrderFor } from './conversion.ts'

/** Dependencies of a liquidation. */
export interface MarginLiquidationContext {
  readonly markets: readonly ListedMarket[]
  /** Receives unsellable assets and pays the remaining debts; it may go negative. */
  readonly insurance: Account
  readonly place: (trader: MarginTrader, draft: SpotOrderDraft) => void
}

/** More rounds than there are ways from any asset to any other; each but the last makes a debt smaller. */
const MOST_ROUNDS = 100

/**
 * Repays the debts of an account without open orders: market orders sell its assets, only as much as needed.
 * If no sellable asset is left, the insurance takes the rest and pays; while a book is merely too thin, the
 * account waits for it. Returns true if an asset was sold or taken.
 */
export function liquidate(trader: MarginTrader, context: MarginLiquidationContext): boolean {
  let rounds = 0
  while (rounds < MOST_ROUNDS && sellForDebts(trader, context)) rounds++
  if (trader.credit.debts.size === 0 || hasSomethingToSell(trader, context)) return rounds > 0
  for (const [asset, { free }] of trader.account.holdings) {
    trader.account.withdraw(asset, free)
    context.insurance.deposit(asset, free)
  }
  trader.credit.settleBy(context.insurance)
  return true
}

/** One order for every debt and asset that pays for it; returns true if any of them traded. */
function sellForDebts(trader: MarginTrader, context: MarginLiquidationContext): boolean {
  const { account, credit } = trader
  let hasTraded = false
  for (const debt of [...credit.debts.keys()]) {
    for (const asset of [...account.holdings.keys()]) {
      const owed = credit.debts.get(debt)
      if (owed === undefined) break
      if (asset !== debt && sellFor(trader, asset, debt, owed, context)) hasTraded = true
    }
  }
  return hasTraded
}

/**
 * Converts an asset to `wanted` of another, directly or through a third; returns true if a trade happened.
 */
function sellFor(
  trader: MarginTrader,
  from: string,
  to: string,
  wanted: Amount,
  context: MarginLiquidationContext,
): boolean {
  const route = routeOf(from, to, context.markets)
  if (route === undefined) return false
  const { first, between, second } = route
  if (second === undefined) return trade(trader, first, from, wanted, context)
  const needed = subtract(conversionCost(second, wanted), trader.account.holding(between).free)
  const hasTraded = needed > ZERO && trade(trader, first, from, needed, context)
  return trade(trader, second, between, wanted, context) || hasTraded
}

function trade(
  trader: MarginTrader,
  conversion: Conversion,
  from: string,
  wanted: Amount,
  { place }: MarginLiquidationContext,
): boolean {
  const held = trader.account.holding(from).free
  const draft = marketOrderFor(conversion, wanted, held)
  if (draft === undefined) return false
  place(trader, draft)
  return trader.account.holding(from).free < held
}

function hasSomethingToSell(
  { account, credit }: MarginTrader,
  { markets }: MarginLiquidationContext,
): boolean {
  return [...credit.debts.keys()].some(debt =>
    [...account.holdings].some(([asset, { free }]) => {
      const route = asset === debt ? undefined : routeOf(asset, debt, markets)
      return route !== undefined && isTradable(route.first, free)
    }),
  )
}

/** The way from one asset to another over at most one in between. */
function routeOf(from: string, to: string, markets: readonly ListedMarket[]) {
  const direct = conversionOf(from, to, markets)
  if (direct !== undefined) return { first: direct, between: to, second: undefined }
  for (const { instrument } of markets) {
    const between = instrument.base === from ? instrument.quote : instrument.base
    const first = conversionOf(from, between, markets)
    const second = conversionOf(between, to, markets)
    if (first !== undefined && second !== undefined) return { first, between, second }
  }
  return undefined
}
