import { type Amount, add, smaller, subtract, ZERO } from '../../../domain/numbers/amount.ts'
import type { Ticks } from '../../../domain/numbers/grid.ts'
import { type Contract, contractInitialMargin, maintenanceOf } from '../contract.ts'
import type { FuturesAccount } from './futures-account.ts'
import { markWorthOf, type SimulatedPosition, unrealizedOf } from './position.ts'

/** Mark price of a contract. */
export type ContractMarkOf = (contract: Contract) => Ticks

/** Totals of the cross positions of one margin coin. */
export interface CrossEquity {
  readonly positions: readonly SimulatedPosition[]
  /** Balance, frozen money and unrealised profit: all that stands behind them. */
  readonly equity: Amount
  readonly unrealized: Amount
  /** Initial margin at their prices of entry. */
  readonly initialMargin: Amount
  /** Maintenance margin, closing fees included. */
  readonly maintenance: Amount
  /** Notional at the mark prices. */
  readonly value: Amount
}

/** The cross positions of an account at the mark prices. */
export function crossStateOf(account: FuturesAccount, coin: string, markOf: ContractMarkOf): CrossEquity {
  const { normal, locked } = account.wallet(coin)
  const positions = account.positions(coin).filter(({ marginMode }) => marginMode === 'cross')
  const sum = (amountOf: (position: SimulatedPosition) => Amount) => positions.map(amountOf).reduce(add, ZERO)
  const unrealized = sum(position => unrealizedOf(position, markOf(position.contract)))
  return {
    positions,
    unrealized,
    equity: add(add(normal, locked), unrealized),
    initialMargin: sum(openAmountOf),
    maintenance: sum(position => keepOf(position, markOf(position.contract))),
    value: sum(position => markWorthOf(position, markOf(position.contract))),
  }
}

/** Initial margin of a position at its price of entry: its cost over its leverage. */
export function openAmountOf({ cost, leverage }: SimulatedPosition): Amount {
  return contractInitialMargin(cost, leverage)
}

/** Maintenance margin of a position at a mark price. */
export function keepOf(position: SimulatedPosition, mark: Ticks): Amount {
  return maintenanceOf(position.contract, markWorthOf(position, mark))
}

/**
 * Balance available for new orders, isolated positions and withdrawals: unrealised losses of cross positions
 * count, profits do not.
 */
export function availableOf(account: FuturesAccount, coin: string, markOf: ContractMarkOf): Amount {
  const cross = crossStateOf(account, coin, markOf)
  const free = subtract(account.wallet(coin).normal, cross.initialMargin)
  return add(free, smaller(ZERO, cross.unrealized))
}
