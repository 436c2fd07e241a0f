import type { Account, AssetHolding } from './account.ts'
import type { CreditState } from './margin/credit.ts'
import type { MarginLiquidation } from './margin/margin-watch.ts'
import type { ListedMarketState } from './spot/listed-market.ts'
import type { OrderHistoryState } from './spot/order-history.ts'
import type { SimulatedOwnTrade } from './spot/own-trade.ts'
import type { SimulatedSpotOrder } from './spot/spot-order.ts'
import type { Trader } from './trader.ts'
import type { User } from './user.ts'

/** Holdings of an account, by asset. */
export type HoldingsState = ReadonlyMap<string, AssetHolding>

/** A trader as plain data but for its orders. */
export interface TraderState {
  readonly holdings: HoldingsState
  readonly history: OrderHistoryState<SimulatedSpotOrder, SimulatedOwnTrade>
  /** Only of a margin account. */
  readonly credit: CreditState | undefined
}

/** The spot side of an exchange, as plain data but for its orders. */
export interface SpotState {
  /** ms UTC. */
  readonly now: number
  readonly orderCount: bigint
  readonly tradeCount: number
  readonly house: HoldingsState
  readonly fees: HoldingsState
  readonly insurance: HoldingsState
  readonly users: ReadonlyMap<number, { readonly spot: TraderState; readonly margin: TraderState }>
  readonly markets: ReadonlyMap<string, ListedMarketState>
  /** Oldest first. */
  readonly marginLiquidations: readonly MarginLiquidation[]
}

/** The users of an exchange by their uids. */
export function dumpUsers(users: readonly User[]): SpotState['users'] {
  return new Map(
    users.map(user => [user.account.uid, { spot: dumpTrader(user), margin: dumpTrader(user.margin) }]),
  )
}

/** Restores the state of users; a user without one keeps the opening balances. */
export function restoreUsers(users: readonly User[], states: SpotState['users']): void {
  for (const user of users) {
    const state = states.get(user.account.uid)
    if (state === undefined) continue
    restoreTrader(user, state.spot)
    restoreTrader(user.margin, state.margin)
  }
}

function dumpTrader({ account, history, credit }: Trader): TraderState {
  return { holdings: account.holdings, history: history.dump(), credit: credit?.dump() }
}

function restoreTrader({ account, history, credit }: Trader, state: TraderState): void {
  account.restore(state.holdings)
  history.restore(state.history)
  if (state.credit !== undefined) credit?.restore(state.credit)
}

/** Every account of a spot exchange by a name of its own. */
export function namesOfAccounts(
  institutions: Readonly<Record<string, Account>>,
  users: readonly User[],
): readonly (readonly [string, object])[] {
  return [
    ...Object.entries(institutions).map(([name, account]) => [`account ${name}`, account] as const),
    ...users.flatMap(({ account, margin }) => [
      [`account spot ${account.uid}`, account] as const,
      [`account margin ${account.uid}`, margin.account] as const,
    ]),
  ]
}
