import { ZERO } from '../../../domain/numbers/amount.ts'
import { NO_STEPS, type Steps, steps } from '../../../domain/numbers/grid.ts'
import { type Direction, oppositeOf, type Side } from '../../../domain/orders/side.ts'
import type { SimulatedFuturesOrder } from '../positions/futures-account.ts'

type Untouched =
  | 'status'
  | 'isCancelPending'
  | 'executedQuantity'
  | 'executedValue'
  | 'frozenPerContract'
  | 'fee'
  | 'realized'

/** An order before its first trade and its reserve. */
export function newFuturesOrder(
  order: Omit<SimulatedFuturesOrder, Untouched | 'size'> & { readonly volume: Steps },
): SimulatedFuturesOrder {
  const { volume, ...rest } = order
  return {
    ...rest,
    size: { unit: 'base', quantity: volume },
    status: order.trigger === undefined ? 'NEW' : 'INIT',
    isCancelPending: false,
    executedQuantity: NO_STEPS,
    executedValue: ZERO,
    frozenPerContract: ZERO,
    fee: ZERO,
    realized: ZERO,
  }
}

/** Contracts that an order can still trade. */
export function openVolumeOf({ size, executedQuantity }: SimulatedFuturesOrder): Steps {
  return steps(size.quantity - executedQuantity)
}

/** True if the order is on the book or waits for its condition. */
export function isWaiting({ status }: SimulatedFuturesOrder): boolean {
  return status === 'INIT' || isLive({ status })
}

/** True if the order is on the book. */
export function isLive({ status }: Pick<SimulatedFuturesOrder, 'status'>): boolean {
  return status === 'NEW' || status === 'PARTIALLY_FILLED'
}

/** The direction of the position that a trade on `side` makes smaller. */
export function closedDirection(side: Side): Direction {
  return oppositeOf(side) === 'buy' ? 'long' : 'short'
}

/** The direction of the position that a trade on `side` makes larger. */
export function openedDirection(side: Side): Direction {
  return side === 'buy' ? 'long' : 'short'
}
