import { type Amount, add, ZERO } from '../domain/numbers/amount.ts'
import { notionalOf } from '../domain/numbers/grid.ts'
import { initialMargin, maintenanceMargin } from './contract-margin.ts'
import { type HeldContracts, type MarkOf, profitAt } from './contract-position.ts'

/** What the cross positions of one quote come to. */
export interface CrossState {
  readonly held: readonly HeldContracts[]
  /** Wallet without isolated margins, and unrealised profit: all that stands behind them. */
  readonly equity: Amount
  readonly unrealized: Amount
  /** At their prices of entry. */
  readonly initialMargin: Amount
  /** What they must keep. */
  readonly maintenance: Amount
  /** Worth at the mark prices. */
  readonly worth: Amount
}

/** What positions come to at the mark prices, with so much of the wallet behind them. */
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
