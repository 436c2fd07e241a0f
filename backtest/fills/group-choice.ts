import type { ExecutionPrice } from './execution-price.ts'
import type { ModelOrder } from './model-order.ts'

/** An order and where it would trade. */
export interface Candidate {
  readonly order: ModelOrder
  readonly execution: ExecutionPrice
}

/**
 * Chooses the entry of a group that trades where the order of prices is unknown: the one with the worst
 * result at the kline's close, or the first of equals.
 */
export function chosenOfGroup(candidates: readonly [Candidate, ...Candidate[]], close: number): Candidate {
  return candidates.reduce((chosen, other) => (gainOf(other, close) < gainOf(chosen, close) ? other : chosen))
}

/** Gain of a candidate by the close, in quote times steps. */
function gainOf({ order, execution }: Candidate, close: number): number {
  const gain = order.isBuy ? close - execution.price : execution.price - close
  return gain * order.quantity
}
