import type { Execution } from './execution-price.ts'
import type { ModelOrder } from './model-order.ts'

/** An order and where it would trade. */
export interface Candidate {
  readonly order: ModelOrder
  readonly execution: Execution
}

/**
 * Which of several entries of one group trades, where nothing tells which the price came to first: what stands worst at the
 * kline's close; the first of equals.
 */
export function chosenOfGroup(candidates: readonly [Candidate, ...Candidate[]], close: number): Candidate {
  return candidates.reduce((chosen, other) => (gainOf(other, close) < gainOf(chosen, close) ? other : chosen))
}

/** What a candidate would have gained by the close, in quote times steps. */
function gainOf({ order, execution }: Candidate, close: number): number {
  const gain = order.isBuy ? close - execution.price : execution.price - close
  return gain * order.quantity
}
