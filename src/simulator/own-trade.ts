import { type Amount, add, subtract } from '../domain/amount.ts'
import { feeOf } from '../domain/fee.ts'
import type { Liquidity } from '../domain/fill.ts'
import { baseAmount, notionalOf, type Steps, steps, type Ticks } from '../domain/grid.ts'
import type { Account } from './account.ts'
import { payingAsset, reserveOf, type SpotOrder } from './spot-order.ts'

/** Two orders that met; the resting one set the price. */
export interface Execution {
  readonly id: number
  readonly maker: SpotOrder
  readonly taker: SpotOrder
  readonly price: Ticks
  readonly quantity: Steps
  /** ms UTC. */
  readonly time: number
}

/** One side's view of an execution. */
export interface OwnTrade {
  readonly execution: Execution
  readonly order: SpotOrder
  readonly liquidity: Liquidity
  readonly fee: Amount
  /** The asset received. */
  readonly feeAsset: string
}

/** Moves the money of an execution and books it on both orders; fees go to `feeAccount`. Returns both views, the maker's first. */
export function settle(execution: Execution, feeAccount: Account): readonly [OwnTrade, OwnTrade] {
  return [settleSide(execution, 'maker', feeAccount), settleSide(execution, 'taker', feeAccount)]
}

function settleSide(execution: Execution, liquidity: Liquidity, feeAccount: Account): OwnTrade {
  const order = execution[liquidity]
  const { instrument, account } = order
  const base = baseAmount(instrument, execution.quantity)
  const quote = notionalOf(instrument, execution.price, execution.quantity)
  const [paid, received] = order.side === 'buy' ? [quote, base] : [base, quote]
  const { fee, feeAsset } = feeOf(instrument, order.side, execution.price, execution.quantity, liquidity)
  order.executedQuantity = steps(order.executedQuantity + execution.quantity)
  order.executedNotional = add(order.executedNotional, quote)
  account.spend(payingAsset(order), paid)
  order.locked = subtract(order.locked, paid)
  releaseExcess(order)
  account.deposit(feeAsset, subtract(received, fee))
  feeAccount.deposit(feeAsset, fee)
  if (order.status !== 'PENDING_CANCEL') order.status = 'PARTIALLY_FILLED'
  return { execution, order, liquidity, fee, feeAsset }
}

/** A buy that traded below its limit gets back what it had reserved for the difference. */
function releaseExcess(order: SpotOrder): void {
  const { size } = order
  if (size.unit === 'quote') return
  const needed = reserveOf({
    ...order,
    size: { unit: 'base', quantity: steps(size.quantity - order.executedQuantity) },
  })
  order.account.unlock(payingAsset(order), subtract(order.locked, needed))
  order.locked = needed
}
