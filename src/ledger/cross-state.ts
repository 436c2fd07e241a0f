import { type Amount, add, ZERO } from '../domain/numbers/amount.ts'
import { notionalOf } from '../domain/numbers/grid.ts'
import { initialMargin, maintenanceMargin } from './contract-margin.ts'
import { type HeldContracts, type MarkOf, profitAt } from './contract-position.ts'

/** Totals of the cross positions of one quote. */
export interface CrossState {
  readonly held: readonly HeldContracts[]
  /** Wallet without isolated margins, and unrealised profit: all that stands behind them. */
  readonly equity: Amount
  readonly unrealized: Amount
  /** At their prices of entry. */
  readonly initialMargin: Amount
  /** Maintenance margin of all. */
  readonly maintenance: Amount
  /** Notional at the mark prices. */
  readonly worth: Amount
}

/** Totals of positions at the mark prices, backed by `wallet`. */
export function crossState(held: readonly HeldContracts[], wallet: Amount, markOf: MarkOf): CrossState {
  let [unrealized, margin, maintenance, worth] = [ZERO, ZERO, ZERO, ZERO]
  for (const { instrument, position } of held) {
    const mark = markOf(instrument)
    const marked = mark === undefined ? position.cost : notionalOf(instrument, mark, position.quantity)
    worth = add(worth, marked)
    maintenance = add(maintenance, maintenanceMargin(instrument, marked))
    margin = add(margin, initialMargin(instrument, position.cost))
    if (mark !== undefined) unrealized = add(unrealized, profitAt(instrument, position, mark))
  }
  return { held, equity: add(wallet, unrealized), unrealized, initialMargin: margin, maintenance, worth }
}
