import type { Steps, Ticks } from '../domain/numbers/grid.ts'
import type { Side } from '../domain/orders/side.ts'
import type { QueuePosition, QueuePositionState } from './queue-position.ts'

/**
 * Conduct of an order on the book: `limit` takes what its price allows and rests, `postOnly` rests or ends,
 * `immediate` takes and ends, `fillOrKill` takes all or nothing.
 */
export type MatchingKind = 'limit' | 'postOnly' | 'immediate' | 'fillOrKill'

/** The parts of an order that matching uses. */
export interface MatchingTerms {
  readonly side: Side
  readonly kind: MatchingKind
  /** Worst price; none for an order at market. */
  readonly limit: Ticks | undefined
}

/** An order on its way to an observed market, or resting there. Times are ms UTC. */
export interface WorkingOrder<Order> extends MatchingTerms {
  readonly order: Order
  /** When it reaches the market. */
  readonly arrivesAt: number
  /** When its cancel reaches the market. */
  cancelAt: number | undefined
  /** Its place while it rests. */
  rest: Rest | undefined
}

/** A resting order's place since a snapshot. */
export interface Rest {
  /** Time of the snapshot from which on it rests. */
  readonly since: number
  readonly price: Ticks
  readonly position: QueuePosition
}

/** A working order as plain data but for its order. */
export interface WorkingOrderState<Order> extends Omit<WorkingOrder<Order>, 'rest'> {
  readonly rest:
    | { readonly since: number; readonly price: Ticks; readonly position: QueuePositionState }
    | undefined
}

/** A fill of an order. */
export interface ObservedFill<Order> {
  readonly order: Order
  readonly price: Ticks
  readonly quantity: Steps
  /** When it became known, ms UTC. */
  readonly time: number
  readonly liquidity: 'maker' | 'taker'
}
