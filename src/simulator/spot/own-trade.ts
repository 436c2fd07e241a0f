import { type Fee, feeOf, feeRateOf } from '../../domain/fee.ts'
import { type Amount, add, divide, subtract, times } from '../../domain/numbers/amount.ts'
import { baseAmount, notionalOf, type Steps, steps, type Ticks } from '../../domain/numbers/grid.ts'
import type { Liquidity } from '../../domain/orders/fill.ts'
import type { Account } from '../account.ts'
import { payingAsset, reserveOf, type SimulatedSpotOrder } from './spot-order.ts'

/** Two orders that met; the resting one set the price. */
export interface Execution {
  readonly id: number
  readonly maker: SimulatedSpotOrder
  readonly taker: SimulatedSpotOrder
  readonly price: Ticks
  readonly quantity: Steps
  /** ms UTC. */
  readonly time: number
}

/** One side's view of an execution. */
export interface SimulatedOwnTrade {
  readonly execution: Execution
  readonly order: SimulatedSpotOrder
  readonly liquidity: Liquidity
  readonly fee: Amount
  /** The received asset, or the account's fee asset. */
  readonly feeAsset: string
}

/** Moves the money of an execution and books it on both orders; fees go to `feeAccount`. Returns both views, the maker's first. */
export function settle(
  execution: Execution,
  feeAccount: Account,
): readonly [SimulatedOwnTrade, SimulatedOwnTrade] {
  return [settleSide(execution, 'maker', feeAccount), settleSide(execution, 'taker', feeAccount)]
}

function settleSide(execution: Execution, liquidity: Liquidity, feeAccount: Account): SimulatedOwnTrade {
  const order = execution[liquidity]
  const { instrument, account } = order
  const base = baseAmount(instrument, execution.quantity)
  const quote = notionalOf(instrument, execution.price, execution.quantity)
  const [paid, received] = order.side === 'buy' ? [quote, base] : [base, quote]
  order.executedQuantity = steps(order.executedQuantity + execution.quantity)
  order.executedNotional = add(order.executedNotional, quote)
  account.spend(payingAsset(order), paid)
  order.locked = subtract(order.locked, paid)
  releaseExcess(order)
  const { fee, feeAsset } =
    feeInOwnAsset(execution, liquidity, quote) ??
    feeOf(instrument, order.side, execution.price, execution.quantity, liquidity)
  const receivedAsset = order.side === 'buy' ? instrument.base : instrument.quote
  if (feeAsset === receivedAsset) account.deposit(feeAsset, subtract(received, fee))
  else {
    account.deposit(receivedAsset, received)
    account.withdraw(feeAsset, fee)
  }
  feeAccount.deposit(feeAsset, fee)
  if (order.status !== 'PENDING_CANCEL') order.status = 'PARTIALLY_FILLED'
  return { execution, order, liquidity, fee, feeAsset }
}

/** The fee in the asset that the account pays fees with; `undefined` where there is none, too little of it, or a rebate. */
function feeInOwnAsset(execution: Execution, liquidity: Liquidity, quote: Amount): Fee | undefined {
  const { instrument, account } = execution[liquidity]
  const { feesPaidWith } = account
  if (feesPaidWith === undefined) return undefined
  const { asset: feeAsset, price } = feesPaidWith
  const fee = divide(times(quote, feeRateOf(instrument, liquidity)), price)
  return fee > 0n && account.holding(feeAsset).free >= fee ? { fee, feeAsset } : undefined
}

/** Frees the excess reserve of a buy that traded below its limit. */
function releaseExcess(order: SimulatedSpotOrder): void {
  const { size } = order
  if (size.unit === 'quote') return
  const needed = reserveOf({
    ...order,
    size: { unit: 'base', quantity: steps(size.quantity - order.executedQuantity) },
  })
  order.account.unlock(payingAsset(order), subtract(order.locked, needed))
  order.locked = needed
}
