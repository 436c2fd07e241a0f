import { type Amount, add, subtract, ZERO } from '../../../domain/numbers/amount.ts'
import type { Clearing } from './clearing.ts'
import { type ContractMarkOf, type CrossEquity, crossStateOf, keepOf } from './equity.ts'
import type { FuturesAccount, SimulatedFuturesOrder } from './futures-account.ts'
import { markWorthOf, type SimulatedPosition, unrealizedOf } from './position.ts'

/** Dependencies of the liquidation check. */
export interface FuturesLiquidationContext {
  readonly clearing: Clearing
  readonly markOf: ContractMarkOf
  readonly cancel: (order: SimulatedFuturesOrder) => void
  /** Cancels closing orders without a position to close. */
  readonly trimClosing: (account: FuturesAccount) => void
}

/**
 * Liquidates an account where due: an isolated position once its margin and profit at the mark price fall to
 * its maintenance margin, and all cross positions of a coin once the account's equity falls to theirs.
 */
export function liquidateWhereDue(
  account: FuturesAccount,
  coin: string,
  context: FuturesLiquidationContext,
  time: number,
): void {
  for (const position of account.positions(coin)) {
    if (position.marginMode === 'isolated') liquidateIsolated(account, position, context, time)
  }
  const cross = crossStateOf(account, coin, context.markOf)
  if (cross.positions.length > 0 && cross.equity <= cross.maintenance) {
    takeOverCross(account, cross, context, time)
  }
  context.trimClosing(account)
  if (!account.positions(coin).some(({ marginMode }) => marginMode === 'cross'))
    cancelUnbacked(account, coin, context)
}

function liquidateIsolated(
  account: FuturesAccount,
  position: SimulatedPosition,
  context: FuturesLiquidationContext,
  time: number,
): void {
  const mark = context.markOf(position.contract)
  const equity = add(position.margin, unrealizedOf(position, mark))
  if (equity > keepOf(position, mark)) return
  context.clearing.liquidate(account, position, mark, equity, time)
}

/** Each position bears a share of the equity by its notional, the last one the remainder. */
function takeOverCross(
  account: FuturesAccount,
  cross: CrossEquity,
  context: FuturesLiquidationContext,
  time: number,
): void {
  let left = cross.equity
  cross.positions.forEach((position, index) => {
    const mark = context.markOf(position.contract)
    const isLast = index === cross.positions.length - 1
    const share = isLast ? left : shareOf(cross.equity, markWorthOf(position, mark), cross.value)
    left = subtract(left, share)
    context.clearing.liquidate(account, position, mark, share, time)
  })
}

function shareOf(equity: Amount, value: Amount, total: Amount): Amount {
  return ((equity * value) / total) as Amount // a share of an amount
}

/**
 * Without a cross position, only frozen order reserves cover a negative balance. A liquidated account loses
 * all of them, because its equity included them.
 */
function cancelUnbacked(account: FuturesAccount, coin: string, context: FuturesLiquidationContext): void {
  for (const order of ordersIn(account, coin)) {
    if (account.wallet(coin).normal >= ZERO) return
    context.cancel(order)
  }
}

function ordersIn({ records }: FuturesAccount, coin: string): SimulatedFuturesOrder[] {
  return records.openOrders.filter(({ contract, trigger, status }) => {
    const waitsForCondition = trigger !== undefined && status === 'INIT'
    return contract.quote === coin && !waitsForCondition
  })
}
